import type { Cell } from '../tools/river-database.js';
import type { Measure, RiverQuery } from './river-question.js';

/** A parameterized SQL query. */
export interface SqlQuery {
  readonly sql: string;
  readonly parameters: readonly Cell[];
}

const RIVER_COLUMNS = `rivers.name AS River, length_km AS "Length (km)", discharge_m3s AS "Discharge (m³/s)",
  basin_km2 AS "Basin (km²)", flows_into AS "Flows into"`;

/** Writes the SQL for a parsed question. Text of the user is passed as a parameter, never as part of the query. */
export function writeSql(query: RiverQuery): SqlQuery {
  switch (query.kind) {
    case 'ranking':
      return writeRanking(query);
    case 'facts':
      return {
        sql: `SELECT ${RIVER_COLUMNS}\nFROM rivers WHERE name IN (${writePlaceholders(query.rivers)})\nORDER BY length_km DESC`,
        parameters: query.rivers,
      };
    case 'crossings':
      return {
        sql: `SELECT rivers.name AS River, countries.name AS Country, countries.capital AS Capital
FROM rivers JOIN river_countries ON river = rivers.name JOIN countries ON code = country
WHERE rivers.name IN (${writePlaceholders(query.rivers)})\nORDER BY rivers.name, place`,
        parameters: query.rivers,
      };
    case 'cities':
      return {
        sql: `SELECT cities.name AS City, countries.name AS Country, population_thousands * 1000 AS Population, river AS River
FROM cities JOIN countries ON code = country
WHERE river IN (${writePlaceholders(query.rivers)})\nORDER BY population_thousands DESC`,
        parameters: query.rivers,
      };
    case 'river-of-city':
      return {
        sql: `SELECT cities.name AS City, coalesce(river, 'none of the database') AS River, countries.name AS Country
FROM cities JOIN countries ON code = country\nWHERE cities.name IN (${writePlaceholders(query.cities)})`,
        parameters: query.cities,
      };
    case 'capital':
      return writeCapitals(query);
    case 'count': {
      const { where, parameters } = writeConditions(query);
      return { sql: `SELECT count(*) AS Rivers FROM rivers${where}`, parameters };
    }
    case 'by-country':
      return {
        sql: `SELECT countries.name AS Country, count(*) AS Rivers
FROM river_countries JOIN countries ON code = country
GROUP BY code ORDER BY count(*) DESC, countries.name LIMIT ?`,
        parameters: [query.limit],
      };
  }
}

function writeRanking(query: RiverQuery): SqlQuery {
  const measure: Measure = query.measure ?? 'length_km';
  const { where, parameters } = writeConditions(query);
  const direction = query.ascending ? 'ASC' : 'DESC';
  return {
    sql: `SELECT ${RIVER_COLUMNS}\nFROM rivers${where}\nORDER BY ${measure} ${direction} LIMIT ?`,
    parameters: [...parameters, query.limit],
  };
}

function writeCapitals(query: RiverQuery): SqlQuery {
  if (query.countries.length > 0) {
    return {
      sql: `SELECT name AS Country, capital AS Capital, area_km2 AS "Area (km²)"
FROM countries WHERE name IN (${writePlaceholders(query.countries)}) ORDER BY name`,
      parameters: query.countries,
    };
  }
  return {
    sql: `SELECT countries.capital AS Capital, countries.name AS Country, river AS River
FROM countries JOIN cities ON cities.name = countries.capital
WHERE river IN (${writePlaceholders(query.rivers)}) ORDER BY countries.capital`,
    parameters: query.rivers,
  };
}

function writeConditions(query: RiverQuery): { where: string; parameters: Cell[] } {
  const parts: string[] = [];
  const parameters: Cell[] = [];
  if (query.countries.length > 0) {
    parts.push(
      `rivers.name IN (SELECT river FROM river_countries JOIN countries ON code = country WHERE countries.name IN (${writePlaceholders(query.countries)}))`,
    );
    parameters.push(...query.countries);
  }
  if (query.mouth !== null) {
    parts.push('flows_into = ?');
    parameters.push(query.mouth);
  }
  return { where: parts.length === 0 ? '' : `\nWHERE ${parts.join(' AND ')}`, parameters };
}

function writePlaceholders(values: readonly string[]): string {
  return values.map(() => '?').join(', ');
}
