import { formatDialect, sql } from 'sql-formatter';

/**
 * Formats SQL: the keyword of each clause on its own line, and below it the items of the clause, one per line, indented by two spaces.
 * Returns null for code that cannot be parsed as standard SQL, and if the formatter would change more than white space.
 */
export function formatSql(code: string): string | null {
  try {
    const formatted = formatDialect(code, { dialect: sql, tabWidth: 2, keywordCase: 'preserve' });
    return withoutSpace(formatted) === withoutSpace(code) ? formatted : null;
  } catch {
    // The code is in another dialect or incomplete.
    return null;
  }
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
