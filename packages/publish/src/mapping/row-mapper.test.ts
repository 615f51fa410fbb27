import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellTypesOf } from './cells.ts'
import { type Mapping, mappedColumns, neededColumns } from './mapping.ts'
import { createRowMapper } from './row-mapper.ts'

const SCHEMA = {
  properties: {
    year: { type: ['integer', 'null'] },
    rating: { type: 'number' },
    read: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    scores: { type: 'array', items: { type: 'integer' } },
    isbn: { type: 'string' },
    either: { type: ['string', 'number'] },
  },
}

function mapped(mapping: Mapping, record: Record<string, string>) {
  return createRowMapper(mapping)(record, { cells: true, types: cellTypesOf(SCHEMA), row: 1 })
}

test('columns become id, title, summary, attributes and references', () => {
  const mapping: Mapping = {
    id: ['country', 'code'],
    title: 'name',
    summary: 'about',
    attributes: { year: 'published', rating: 'rating', tags: { column: 'tags', separator: ';' } },
    references: {
      authors: { column: 'authors', type: 'b:author', separator: ',' },
      series: { column: 'series', type: 'b:series' },
    },
  }
  const record = {
    country: 'de',
    code: '7',
    name: 'N',
    about: 'A',
    published: '1997.0',
    rating: '4.34',
    tags: 'a; b;;',
    authors: 'X, Y, X',
    series: 's1',
    unused: 'u',
  }
  assert.deepEqual(mapped(mapping, record), {
    record: {
      id: 'de-7',
      title: 'N',
      summary: 'A',
      attributes: {
        year: 1997,
        rating: 4.34,
        tags: ['a', 'b'],
        authors: [
          { type: 'b:author', id: 'X' },
          { type: 'b:author', id: 'Y' },
        ],
        series: { type: 'b:series', id: 's1' },
      },
    },
  })
})

test('if the mapping names no attributes, every unused column becomes one, and empty cells are omitted', () => {
  const { record } = mapped({ id: 'book' }, { book: '1', year: '', isbn: '0439', __proto__x: 'y' }) as {
    record: Record<string, unknown>
  }
  assert.deepEqual(record, { id: '1', attributes: { isbn: '0439', __proto__x: 'y' } })
})

test('a cell that equals a missing text is empty, and the list of a column replaces that of the source', () => {
  const record = {
    id: 'NA',
    year: '-',
    rating: 'NA',
    isbn: 'NA',
    title: 'n/a',
    by: '-',
    other: ' - ',
    seq: '999',
  }
  const mapping: Mapping = {
    missing: ['-', 'n/a'],
    trim: ['other'],
    title: 'title',
    attributes: {
      year: 'year',
      rating: { column: 'rating', missing: ['NA'] },
      isbn: 'isbn',
      other: 'other',
      seq: 'seq',
    },
    references: { author: { column: 'by', type: 'b:author' } },
    cells: { rating: { missing: ['x'] }, isbn: { missing: [] }, seq: { missing: ['999'] } },
  }
  const map = createRowMapper(mapping, ['NA'])
  const found = map(record, { cells: true, types: cellTypesOf(SCHEMA), row: 1 })
  assert.deepEqual(found, { record: { id: 'NA', attributes: { isbn: 'NA' } } })
  assert.deepEqual(map.notes('books.csv'), [
    'books.csv: cells read as empty: year 1, rating 1, other 1, seq 1, by 1, title 1',
  ])
})

test('the missing texts of the world apply to sources without a list, and to flat records of any format', () => {
  const types = cellTypesOf(SCHEMA)
  const map = createRowMapper({}, ['NA'])
  assert.deepEqual(map({ id: 'a', rating: 'NA' }, { cells: true, types, row: 1 }), { record: { id: 'a' } })
  const flat = { id: 'a', title: null, rating: 'NA', scores: [1], isbn: 'NAN' }
  assert.deepEqual(map(flat, { cells: false, types, row: 1 }), {
    record: { id: 'a', title: null, scores: [1], isbn: 'NAN' },
  })
  const entity = { id: 'a', attributes: { rating: 'NA' } }
  assert.deepEqual(map(entity, { cells: false, types, row: 1 }), { record: entity })
})

test('a column that is only part of the id remains an attribute', () => {
  assert.deepEqual(mapped({ id: ['a', 'b'], title: 'b' }, { a: '1', b: '2-3' }), {
    record: { id: '1-2-3', title: '2-3', attributes: { a: '1' } },
  })
})

test('with attributes all, the columns of id and title are attributes too, and "type" is data', () => {
  const all = { id: 'id', title: 'isbn', summary: 'about', attributes: 'all' } as const
  assert.deepEqual(mapped(all, { id: '1', isbn: '0439', about: 'x', type: 'b:map' }), {
    record: { id: '1', title: '0439', summary: 'x', attributes: { id: '1', isbn: '0439', type: 'b:map' } },
  })
})

test('cells are converted to the kinds required by the schema, and stay text if it allows text', () => {
  const row = {
    year: '-5',
    rating: '1e3',
    read: 'yes',
    scores: '[1,2]',
    isbn: '007',
    either: '7',
    other: '8',
  }
  assert.deepEqual(mapped({}, row), {
    record: { year: -5, rating: 1000, read: true, scores: [1, 2], isbn: '007', either: '7', other: '8' },
  })
})

test('a cell that does not match the schema is a fault at its column', () => {
  const outcome = mapped(
    { id: 'id', attributes: { year: 'y', read: 'r' } },
    { id: '1', y: 'MMXX', r: 'maybe' },
  )
  assert.ok('faults' in outcome)
  assert.deepEqual(
    outcome.faults.map(({ pointer, reason }) => [pointer, reason]),
    [
      ['/y', 'wrong_type'],
      ['/r', 'wrong_type'],
    ],
  )
})

test('a missing column named by the mapping is a fault', () => {
  const outcome = mapped({ attributes: ['none'] }, { id: '1' })
  assert.ok('faults' in outcome && outcome.faults[0]?.message.includes('"none"'))
})

test('a member may be missing from some records, but a mapped column missing from all is reported', () => {
  const mapping: Mapping = {
    id: ['id', 'part'],
    title: 'name',
    attributes: { year: 'published', tags: { column: 'tags' } },
    references: { author: { column: 'by', type: 'b:author' } },
  }
  assert.deepEqual(mappedColumns(mapping), ['id', 'part', 'name', 'published', 'tags', 'by'])
  const mapper = createRowMapper(mapping)
  const context = { cells: false, types: cellTypesOf(SCHEMA), row: 1 }
  assert.deepEqual(mapper.unseen(), [])
  assert.deepEqual(mapper({ id: 'a', part: 1, published: 1997 }, context), {
    record: { id: 'a-1', attributes: { year: 1997 } },
  })
  mapper({ id: 'b', part: 2, by: null }, context)
  assert.deepEqual(mapper.unseen(), ['name', 'tags'])
})

test('a table must have its id columns, even if the mapping names none', () => {
  assert.deepEqual(neededColumns({}), ['id'])
  assert.deepEqual(neededColumns({ title: 'name' }), ['id', 'name'])
  assert.deepEqual(neededColumns({ id: ['a', 'b'], attributes: ['b', 'c'] }), ['a', 'b', 'c'])
})

test('a "type" column is data if mapped, or if it contains no types and the source has a type', () => {
  const row = { id: '1', type: 'Hardcover' }
  const context = { cells: true, types: cellTypesOf(SCHEMA), type: 'b:book', row: 1 }
  const kind = { record: { id: '1', attributes: { kind: 'Hardcover' } } }
  assert.deepEqual(createRowMapper({ id: 'id', attributes: { kind: 'type' } })(row, context), kind)
  const own = { record: { id: '1', attributes: { type: 'Hardcover' } } }
  assert.deepEqual(createRowMapper({ id: 'id' })(row, context), own)
  assert.deepEqual(createRowMapper({ id: 'id' })({ id: '1', type: 'b:map' }, context), {
    record: { type: 'b:map', id: '1', attributes: {} },
  })
})

test('a row id can be the row number or a digest of the cells', () => {
  const context = { cells: true, types: cellTypesOf(SCHEMA), type: 'b:book' }
  const idOf = (id: Mapping['id'], row: number, file?: string) => {
    const mapped = createRowMapper({ id } as Mapping)({ id: 'a', n: '1' }, { ...context, row, file })
    assert.ok('record' in mapped)
    assert.deepEqual(mapped.record['attributes'], { id: 'a', n: '1' })
    return mapped.record['id']
  }
  assert.deepEqual([idOf({ row: 'number' }, 1), idOf({ row: 'number' }, 7, 'north')], ['1', 'north-7'])
  assert.match(String(idOf({ row: 'hash' }, 1)), /^[0-9a-f]{20}$/)
  assert.equal(idOf({ row: 'hash' }, 1), idOf({ row: 'hash' }, 2))
})

test('cells are read in the form declared by the source or attribute', () => {
  const row = {
    id: '1',
    price: '1.234,50',
    on: '05.02.2024',
    sold: 'ja',
    size: ' 7 kg ',
    tags: 'a|b',
    code: ' x ',
  }
  const cells: Mapping['cells'] = {
    price: { decimal: ',', thousands: '.', decimals: 2 },
    on: { date: 'dd.mm.yyyy' },
    sold: { words: { ja: true, nein: false } },
    tags: { separator: '|' },
  }
  assert.deepEqual(mapped({ id: 'id', cells, trim: ['size', 'code'] }, row), {
    record: {
      id: '1',
      attributes: {
        price: 1234.5,
        on: '2024-02-05',
        sold: true,
        size: '7 kg',
        tags: ['a', 'b'],
        code: 'x',
      },
    },
  })
  const named: Mapping = { cells, attributes: { cost: 'price', mass: { column: 'size', suffix: ' kg' } } }
  assert.deepEqual(mapped(named, row), { record: { id: '1', attributes: { cost: 1234.5, mass: 7 } } })
  const bad = mapped({ cells }, { id: '1', price: '1.5', on: '31.02.2024', sold: 'vielleicht' })
  assert.ok('faults' in bad)
  assert.deepEqual(
    bad.faults.map(({ message }) => message),
    [
      '"1.5" is no number written as 1.234,50 is',
      '"31.02.2024" is no date written dd.mm.yyyy',
      '"vielleicht" is none of ja, nein',
    ],
  )
})

test('a column may name a nested member or list element unless a member has that exact name', () => {
  const record = { name: { common: 'Io', 'a.b': 1 }, 'name.short': 'I', tags: ['x', 'y'], id: 'io' }
  const mapping = {
    title: 'name.common',
    attributes: { short: 'name.short', tag: 'tags.1', none: 'name.none.more' },
  }
  const map = createRowMapper(mapping)
  assert.deepEqual(map(record, { cells: false, types: () => 'text', row: 1 }), {
    record: { id: 'io', title: 'Io', attributes: { short: 'I', tag: 'y' } },
  })
  assert.deepEqual(map.unseen(), ['name.none.more'])
})

test("attachment columns become paths on the world's origin", () => {
  const map = createRowMapper({ attachments: { photo: 'file', more: { column: 'others', separator: ';' } } })
  const record = { id: 'io', file: './a b.png', others: 'x.png; ;deep/y.png', rest: 'r' }
  assert.deepEqual(map(record, { cells: true, types: () => 'text', row: 1 }), {
    record: {
      id: 'io',
      attributes: {
        rest: 'r',
        photo: '/attachments/a%20b.png',
        more: ['/attachments/x.png', '/attachments/deep/y.png'],
      },
    },
  })
})
