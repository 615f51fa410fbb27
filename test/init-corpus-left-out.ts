/** Publications of tables with cells that mean nothing, or that the reader of a sheet does not see. */
import { textRow, workbookParts, zipOf } from '../packages/publish/src/formats/xlsx/workbook.fixture.ts'
import type { Publication } from './init-corpus.ts'

const STATIONS = `code,height,opened,staff,country,level
S1,12.5,-,3,NA,-
S2,n/a,2018-04-30,..,DE,low
S3,NA,2019-05-01,7,NA,low
S4,7,#N/A,NULL,FR,high
S5,NA,2021-12-24,8,FR,high
`

/** A workbook with a hidden column, a row that a filter hides, and a hidden sheet. */
const STOCK = zipOf(
  workbookParts({
    Items: {
      cols: '<col min="3" max="3" hidden="1" width="9"/>',
      rows:
        textRow(1, 'code', 'name', 'cost') +
        textRow(2, 'a1', 'Spoon', '2.5') +
        textRow(3, 'a2', 'Fork', '1.25').replace('<row ', '<row hidden="1" ') +
        textRow(4, 'a3', 'Knife', '3'),
    },
    Salaries: { rows: textRow(1, 'who', 'pay') + textRow(2, 'Ann', '1'), state: 'veryHidden' },
  }),
)

/** Files that can be published with two commands, and the cells that are then left out. */
export const LEFT_OUT_PUBLICATIONS: readonly Publication[] = [
  {
    what: 'placeholders of many kinds for missing numbers and dates',
    files: { 'stations.csv': STATIONS },
    holds: {
      'stations:station': [
        { code: 'S1', height: '12.5', staff: '3', country: 'NA', level: '-' },
        { code: 'S2', opened: '2018-04-30', country: 'DE', level: 'low' },
        { code: 'S3', opened: '2019-05-01', staff: '7', country: 'NA', level: 'low' },
        { code: 'S4', height: '7', country: 'FR', level: 'high' },
        { code: 'S5', opened: '2021-12-24', staff: '8', country: 'FR', level: 'high' },
      ],
    },
    serves: { 'stations:station/S1': { height: 12.5, staff: 3 } },
    says: [
      /height: cells that mean empty, as all others are alike: n\/a 1, NA 2\./,
      /opened: .*: - 1, #N\/A 1\./,
      /staff: .*: \.\. 1, NULL 1\./,
      /Columns without a gap are required, [^:]*: country, level, code\.\n/,
    ],
  },
  {
    what: 'a workbook of which a reader does not see a column, a row and a sheet',
    files: { 'stock.xlsx': STOCK },
    holds: {
      'stock:stock': [
        { code: 'a1', name: 'Spoon' },
        { code: 'a3', name: 'Knife' },
      ],
    },
    says: [
      /stock\.xlsx, sheet "Items": hidden, and left out: 1 row \(3\); 1 column \(cost\)\./,
      /stock\.xlsx: hidden sheets, .*: 1, Salaries \(very hidden\)\./,
    ],
  },
]
