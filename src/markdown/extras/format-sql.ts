import { formatDialect, sql } from 'sql-formatter';

/**
 * Formats SQL: one clause a line, indented by two spaces. Changes nothing but white space. Returns null for what cannot be parsed as
 * standard SQL.
 */
export function formatSql(code: string): string | null {
  try {
    const formatted = formatDialect(code, { dialect: sql, tabWidth: 2, keywordCase: 'preserve' });
    return withoutSpace(formatted) === withoutSpace(code) ? formatted : null;
  } catch {
    // Dialects differ, and a statement may be incomplete.
    return null;
  }
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
