/** Small files modelled on published ones, with the contents that a world must serve, cell by cell. */
/** The rows of a table with their cells as strings, keyed by column name. */
export type Rows = readonly Readonly<Record<string, string>>[]

/** Files that are published together, and the records that the world must then serve. */
export interface Publication {
  readonly what: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  /** Arguments of `init`. Default: the names of the files. */
  readonly init?: readonly string[]
  /** Expected records of each type, in any order: their cells or members. */
  readonly holds: Readonly<Record<string, Rows | readonly Readonly<Record<string, unknown>>[]>>
  /** Attributes of some entities that must be served, keyed by type and id. */
  readonly serves?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Expected output of `init`. */
  readonly says?: readonly RegExp[]
}

interface Look {
  readonly delimiter?: string
  readonly eol?: string
  readonly start?: string
  readonly end?: string
}

/** Formats rows as delimited text. Quotes cells if necessary. */
function table(rows: Rows, { delimiter = ',', eol = '\n', start = '', end = '' }: Look = {}): string {
  const names = Object.keys(rows[0] ?? {})
  const quoted = (cell: string) =>
    cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
  return start + lines.map((cells) => cells.map(quoted).join(delimiter) + eol).join('') + end
}

/** Parses rows whose cells are separated by bars. The first line contains the column names. */
function rows(text: string): Rows {
  const [names = [], ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return lines.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])))
}

const GERMAN = rows(`
  Betriebs-Nr. | Betrieb            | Ort  | PLZ   | Umsatz       | Gegründet  | Aktiv | Telefon      | Anteil
  B-100        | Müller GmbH        | Köln | 50667 | 1.234.567,50 | 01.02.1999 | ja    | +49221123    | 12,5 %
  B-101        | Schulze & Söhne    | Bonn | 01067 | 980,00       | 15.11.2003 | nein  | 0228 4567    | 3,0 %
  B-102        | Bäckerei "Klein"   | Bonn | 53113 | 12.000,10    | 31.12.2010 | ja    | 0228/77      | 100,0 %
`)

const AMERICAN = rows(`
  SKU   | Product Name   | List Price | Released   | In Stock | Weight (lb) | Sold
  00017 | Anvil, large   | $1,234.50  | 12/31/2019 | TRUE     | 110.0       | 1,200
  00018 | Rocket skates  | $99.00     | 01/15/2020 | FALSE    | 7.25        | 17
  00019 | Bird seed      | $5.05      | 02/28/2020 | TRUE     | 25.5        | 12,345
  00020 | "Earthquake"   | $0.99      | 07/04/2020 | TRUE     | 0.5         | 2,400,100
`)

const FRENCH = rows(`
  référence | désignation      | prix TTC       | mis en vente le | disponible | quantité
  A-1       | Fauteuil crapaud | 1\u202f234,50 € | 25/12/2023      | oui        | 3
  A-2       | Guéridon         | 89,00 €        | 03/01/2024      | non        | 12
  A-3       | Commode Louis XV | 12\u202f000,00 € | 31/01/2024      | oui        | 1
`)

const CODES = rows(`
  part no | phone        | version | plz   | digits               | signed | exponent | hex  | ratio | negative | mixed
  12E4    | +4912345     | 1.10    | 01067 | 12345678901234567890 | +5     | 1e3      | 0x1F | 0.1   | -3       | 1
  13E4    | +4998765     | 1.9     | 80331 | 12345678901234567891 | -5     | 2e3      | 0x20 | 0.25  | 0        | 1.50
  14E4    | 0049 89 1234 | 2.0     | 00501 | 99999999999999999999 | 7      | 3e3      | 0x21 | 12    | 15       | n/a
`)

const TYPED = rows(`
  id | type      | title          | summary | attributes | name
  7  | Hardcover | Dune           | sand    | a          | x
  8  | Paperback | 1984           |         | b          | y
  9  | http:ok   | Do Androids... | sheep   | c          | z
`)

const REPEATED = rows(`
  id | member no. | note
  1  | 17         | a
  2  | 18         | b
  2  | 19         | c
  3  | 19         | d
  4  | 21         | d
`)

const LOG = rows(`
  level | message
  info  | started
  info  | started
  warn  | low on disk, 5 % left
`)

const ITEMS = rows(`
  order_id | product_code | qty
  1        | P-1          | 2
  1        | P-2          | 1
  2        | P-1          | 1
`)

const ODD: Rows = [
  {
    key: 'a',
    text: '  padded ',
    formula: '=1+1',
    emoji: '👩‍🚀 עברית',
    lines: 'one\r\ntwo\nthree',
    quote: `"'`,
  },
  { key: 'b', text: 'tab\there', formula: '-', emoji: '', lines: '', quote: '""' },
  { key: 'c', text: '', formula: '@x', emoji: 'e\u0301', lines: ',;|', quote: "it's" },
]

const PANDAS = rows(`
  city  | founded | rate
  Ulm   | 854.0   | 0.5
  Trier |         | 1.0
  Köln  | 38.0    | 0.3333333333333333
`)

/** A table with two extra columns without names, one of which contains row numbers. */
const NUMBERED = ',city,people,\n0,Ulm,126000,\n1,Trier,112000,\n2,Ulm,7,\n'
const NUMBERED_ROWS = rows(`
  column 1 | city  | people
  0        | Ulm   | 126000
  1        | Trier | 112000
  2        | Ulm   | 7
`)

const TAGGED = rows(`
  slug  | title         | tags          | cover_url               | page_url              | words
  dune  | Dune          | sf; sand      | https://x.example/1.jpg | https://x.example/d   | 188000
  emma  | Emma          | classic; love | https://x.example/2.jpg | https://x.example/e   | 155887
  ubik  | Ubik          | sf            | https://x.example/3.jpg | https://x.example/u   | 70000
`).map((row) => ({ ...row }))

const CUSTOMERS = rows(`
  customer_id | name | country
  C1          | Ann  | DE
  C2          | Bob  | FR
  C3          | Cy   | US
`)

const ORDERS = rows(`
  order_id | customer_id | ordered    | total
  1        | C1          | 2024-01-05 | 12.50
  2        | C2          | 2024-01-06 | 7.00
  3        | C1          | 2024-01-07 | 100.25
  4        | C9          | 2024-01-08 | 1.10
`)

const AMBIGUOUS = rows(`
  code | weight | day        | when             | level
  a    | 1,234  | 01/02/2024 | 2024-01-05 13:45 | 7.5
  b    | 2,500  | 03/04/2024 | 2024-01-06 00:00 | NA
`)

/** Text files with a table that can be published with two commands. */
export const TABLE_PUBLICATIONS: readonly Publication[] = [
  {
    what: 'an Excel export from Germany: mark, semicolons, decimal commas, days first, rows left empty',
    files: {
      'Betriebe.csv': table(GERMAN, {
        delimiter: ';',
        eol: '\r\n',
        start: '\ufeff',
        end: ';;;;;;;;\r\n;;;;;;;;\r\n',
      }),
    },
    holds: { 'betriebe:betriebe': GERMAN },
    serves: {
      'betriebe:betriebe/B-100': {
        Umsatz: 1234567.5,
        Gegründet: '1999-02-01',
        Aktiv: true,
        Anteil: 12.5,
        PLZ: '50667',
      },
      'betriebe:betriebe/B-101': { Umsatz: 980, Aktiv: false, Telefon: '0228 4567', PLZ: '01067' },
    },
    says: [/The id is Betriebs-Nr\./, /The title is Betrieb\./, /Gegründet is a date, written dd\.mm\.yyyy/],
  },
  {
    what: 'an Excel export from the United States: dollars, thousands, months first, TRUE and FALSE',
    files: { 'Product List.csv': table(AMERICAN, { eol: '\r\n' }) },
    holds: { 'product-list:product-list': AMERICAN },
    serves: {
      'product-list:product-list/00017': {
        'List Price': 1234.5,
        Released: '2019-12-31',
        'In Stock': true,
        Sold: 1200,
      },
      'product-list:product-list/00020': { 'List Price': 0.99, Sold: 2400100, 'Weight (lb)': 0.5 },
    },
  },
  {
    what: 'an Excel export from France: narrow spaces in numbers, euros, oui and non',
    files: { 'meubles.csv': table(FRENCH, { delimiter: ';' }) },
    holds: { 'meubles:meuble': FRENCH },
    serves: {
      'meubles:meuble/A-1': {
        'prix TTC': 1234.5,
        'mis en vente le': '2023-12-25',
        disponible: true,
        quantité: 3,
      },
    },
  },
  {
    what: 'codes that look like numbers: telephones, parts, versions, twenty digits',
    files: { 'parts.csv': table(CODES) },
    holds: { 'parts:part': CODES },
    serves: {
      'parts:part/12E4': { phone: '+4912345', version: '1.10', ratio: 0.1, negative: -3, mixed: '1' },
    },
  },
  {
    what: 'columns called id, type, title, summary and attributes',
    files: { 'books.csv': table(TYPED) },
    holds: { 'books:book': TYPED },
    serves: { 'books:book/7': { type: 'Hardcover', attributes: 'a', name: 'x' } },
  },
  {
    what: 'an id that is given twice',
    files: { 'members.csv': table(REPEATED) },
    holds: { 'members:member': REPEATED },
    says: [
      /the id is the number of the row/,
      /id is unique but for 1 row \(line 4\)/,
      /member no\. is unique but for 1 row \(line 5\)/,
    ],
  },
  { what: 'rows of which two are the same', files: { 'log.csv': table(LOG) }, holds: { 'log:log': LOG } },
  {
    what: 'a table that joins two others',
    files: { 'order_items.csv': table(ITEMS) },
    holds: { 'order-items:order-item': ITEMS },
    says: [/The id is order_id and product_code together/],
  },
  {
    what: 'white space, formulas, line ends, quotes and letters of every kind in cells',
    files: { 'odd.csv': table(ODD) },
    holds: { 'odd:odd': ODD },
  },
  {
    what: 'whole numbers that a program wrote as 854.0, beside gaps',
    files: { 'cities.tsv': table(PANDAS, { delimiter: '\t' }) },
    holds: { 'cities:city': PANDAS },
    serves: { 'cities:city/Ulm': { founded: '854.0', rate: 0.5 } },
  },
  {
    what: 'a column of row numbers without a name, and one with nothing in it',
    files: { 'export.csv': NUMBERED },
    holds: { 'export:export': NUMBERED_ROWS },
    says: [/The id is column 1/],
  },
  {
    what: 'lists in cells, addresses of pictures and pages',
    files: { 'novels.csv': table(TAGGED) },
    holds: { 'novels:novel': TAGGED },
    serves: { 'novels:novel/dune': { tags: ['sf', 'sand'], words: 188000 } },
  },
  {
    what: 'a folder of three tables that name each other',
    files: {
      'customers.csv': table(CUSTOMERS),
      'orders.csv': table(ORDERS),
      'order_items.csv': table(ITEMS),
    },
    init: ['.', '--prefix', 'shop'],
    holds: { 'shop:customer': CUSTOMERS, 'shop:order': ORDERS, 'shop:order-item': ITEMS },
    serves: {
      'shop:order/1': { customer: { type: 'shop:customer', id: 'C1' }, total: 12.5, ordered: '2024-01-05' },
    },
    says: [
      /customer_id refers to shop:customer by its customer_id: 66 % of 3 different values/,
      /order_id refers to shop:order/,
    ],
  },
  {
    what: 'what can be read in two ways stays text, and is said',
    files: { 'loads.csv': table(AMBIGUOUS, { delimiter: ';' }) },
    holds: {
      'loads:load': AMBIGUOUS.map((row) => ({ ...row, level: row['level']?.replace('NA', '') ?? '' })),
    },
    serves: { 'loads:load/a': { weight: '1,234', day: '01/02/2024' } },
    says: [
      /weight stays text: 1,234 .*decimals or thousands/,
      /day stays text: .*date: d\/m\/yyyy/,
      /when stays text: .*zone/,
      /level: cells that mean empty, as all others are alike: NA 1\./,
    ],
  },
]
