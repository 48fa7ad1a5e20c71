import { placeNamesOf } from './place-names.js';
import type { Column, Labels, Link, NamedValue, Schema, Table } from './schema.js';
import { toPhrase } from './tokens.js';

/** The rows of the sample tables that questions can name. */
export interface RiverNames {
  readonly rivers: readonly string[];
  readonly countries: readonly string[];
  readonly cities: readonly string[];
  readonly capitals: readonly string[];
  /** The seas and other rivers into which the rivers flow. */
  readonly mouths: readonly string[];
}

const RIVERS: Table = {
  name: 'rivers',
  key: text('rivers.name', 'name', 'River', labels('river', 'Fluss', 'fleuve', '河流')),
  columns: [
    number('length_km', ['length'], 'Length (km)', {
      unit: 'km',
      labels: labels('length', 'Länge', 'longueur', '长度'),
    }),
    number('discharge_m3s', ['discharge'], 'Discharge (m³/s)', {
      unit: 'm³/s',
      labels: labels('discharge', 'Abfluss', 'débit', '流量'),
    }),
    number('basin_km2', ['basin', 'area'], 'Basin (km²)', {
      unit: 'km²',
      labels: labels('drainage basin', 'Einzugsgebiet', 'bassin versant', '流域面积'),
    }),
    {
      ...text(
        'flows_into',
        'mouth',
        'Flows into',
        labels('mouth', 'Mündung', 'embouchure', '流入'),
      ),
      groupCondition: 'flows_into NOT IN (SELECT name FROM rivers)',
    },
  ],
  one: labels('river', 'Fluss', 'fleuve', '条河流'),
  many: labels('rivers', 'Flüsse', 'fleuves', '条河流'),
  size: null,
  order: 'length_km DESC',
};

const COUNTRIES: Table = {
  name: 'countries',
  key: text('countries.name', 'name', 'Country', labels('country', 'Land', 'pays', '国家')),
  columns: [
    {
      ...text(
        'countries.capital',
        'capital',
        'Capital',
        labels('capital', 'Hauptstadt', 'capitale', '首都'),
      ),
      needsWord: true,
    },
    number('area_km2', ['area'], 'Area (km²)', {
      unit: 'km²',
      labels: labels('area', 'Fläche', 'superficie', '面积'),
    }),
    number('CAST(round(population_millions * 1000000) AS INT)', ['population'], 'Population', {
      unit: '',
      labels: labels('population', 'Einwohnerzahl', 'population', '人口'),
    }),
  ],
  one: labels('country', 'Land', 'pays', '个国家'),
  many: labels('countries', 'Länder', 'pays', '个国家'),
  size: 'area',
  order: 'countries.name',
};

const CITIES: Table = {
  name: 'cities',
  key: text('cities.name', 'name', 'City', labels('city', 'Stadt', 'ville', '城市')),
  columns: [
    text(
      '(SELECT countries.name FROM countries WHERE code = cities.country)',
      'country',
      'Country',
      labels('country', 'Land', 'pays', '国家'),
    ),
    number('population_thousands * 1000', ['population'], 'Population', {
      unit: '',
      labels: labels('population', 'Einwohnerzahl', 'population', '人口'),
    }),
    text('cities.river', 'river', 'River', labels('river', 'Fluss', 'fleuve', '河流')),
  ],
  one: labels('city', 'Stadt', 'ville', '个城市'),
  many: labels('cities', 'Städte', 'villes', '个城市'),
  size: 'population',
  order: 'population_thousands DESC',
};

const LINKS: readonly Link[] = [
  {
    from: 'rivers',
    to: 'countries',
    isMany: true,
    sql: 'SELECT river AS a, countries.name AS b, place FROM river_countries JOIN countries ON code = country',
    words: ['through', 'on'],
  },
  {
    from: 'cities',
    to: 'countries',
    isMany: false,
    sql: 'SELECT cities.name AS a, countries.name AS b, -population_thousands AS place FROM cities JOIN countries ON code = country',
    words: [],
  },
  {
    from: 'cities',
    to: 'rivers',
    isMany: false,
    sql: 'SELECT name AS a, river AS b, -population_thousands AS place FROM cities WHERE river IS NOT NULL',
    words: ['through', 'on'],
  },
];

/** Creates the schema of the sample database: rivers, countries and cities with their names in all languages. */
export function createRiverSchema(known: RiverNames): Schema {
  const names = new Map<string, NamedValue[]>();
  const add = (values: readonly string[], table: string, concept: string | null): void => {
    for (const value of values) {
      for (const name of placeNamesOf(value)) {
        const phrase = toPhrase(name);
        names.set(phrase, [...(names.get(phrase) ?? []), { table, concept, value }]);
      }
    }
  };
  add(known.rivers, 'rivers', null);
  add(known.countries, 'countries', null);
  add(known.cities, 'cities', null);
  add(known.mouths, 'rivers', 'mouth');
  add(known.capitals, 'countries', 'capital');
  return { tables: [RIVERS, COUNTRIES, CITIES], links: LINKS, names, words: new Map() };
}

function labels(en: string, de: string, fr: string, zh: string): Labels {
  return { en, de, fr, zh };
}

function text(sql: string, concept: string, heading: string, names: Labels): Column {
  return { sql, concepts: [concept], heading, labels: names, unit: '', isNumber: false };
}

function number(
  sql: string,
  concepts: readonly string[],
  heading: string,
  more: Pick<Column, 'unit' | 'labels'>,
): Column {
  return { sql, concepts, heading, isNumber: true, ...more };
}
