/** Publications whose records are not table rows: JSON, YAML and Markdown. */
import type { Publication } from './init-corpus.ts'

const COUNTRIES = [
  {
    cca2: 'DE',
    name: { common: 'Germany', native: ['Deutschland'] },
    area: 357114,
    capital: ['Berlin'],
    un: true,
  },
  {
    cca2: 'FR',
    name: { common: 'France', native: ['France'] },
    area: 551695.5,
    capital: ['Paris'],
    un: true,
  },
  {
    cca2: 'AQ',
    name: { common: 'Antarctica', native: [] },
    area: 14000000,
    capital: [],
    un: false,
    note: null,
  },
]

const TITLED = [
  { id: 12, title: 1984, type: 'novel', summary: { en: 'grim' } },
  { id: 13, title: 'Emma', type: 'novel', summary: null },
]

const ENTITIES = [
  { type: 'sol:moon', id: 'io', title: 'Io', attributes: { radius: 1821.6 } },
  { type: 'sol:planet', id: 'mars', title: 'Mars', attributes: { moons: 2, rings: false } },
]

/** Files of records, each with members of its own, that can be published with two commands. */
export const RECORD_PUBLICATIONS: readonly Publication[] = [
  {
    what: 'nested JSON without a column that is called id, and names that are no text',
    files: { 'countries.json': JSON.stringify(COUNTRIES) },
    holds: { 'countries:country': COUNTRIES },
    serves: {
      'countries:country/DE': { name: { common: 'Germany', native: ['Deutschland'] }, area: 357114 },
    },
  },
  {
    what: 'JSON with a type of its own and titles that are numbers',
    files: { 'novels.json': JSON.stringify(TITLED) },
    holds: { 'novels:novel': TITLED },
  },
  {
    what: 'lines of entities that name their types',
    files: { 'sol.ndjson': ENTITIES.map((one) => `${JSON.stringify(one)}\n`).join('') },
    holds: {
      'sol:moon': [{ id: 'io', title: 'Io', radius: 1821.6 }],
      'sol:planet': [{ id: 'mars', title: 'Mars', moons: 2, rings: false }],
    },
  },
  {
    what: 'YAML with telephone numbers and versions',
    files: {
      'hosts.yaml':
        '- { id: a, phone: +4912, version: 1.10, cores: 8 }\n- { id: b, phone: +4913, version: 1.9, cores: 16 }\n',
    },
    holds: {
      'hosts:host': [
        { id: 'a', phone: '+4912', version: '1.10', cores: 8 },
        { id: 'b', phone: '+4913', version: 1.9, cores: 16 },
      ],
    },
  },
  {
    what: 'a folder of Markdown with front matter',
    files: {
      'a.md': '---\ntitle: First\ntype: note\nversion: 1.10\n---\nHello.\n',
      'b.md': '---\ntitle: Second\ntype: essay\nversion: 2.5\n---\nBye.\n',
    },
    init: ['.', '--prefix', 'notes'],
    holds: {
      'notes:*': [
        { id: 'a', title: 'First', type: 'note', version: '1.10', text: 'Hello.' },
        { id: 'b', title: 'Second', type: 'essay', version: 2.5, text: 'Bye.' },
      ],
    },
  },
]
