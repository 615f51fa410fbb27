import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecords } from '../../input/read-records.ts'

/** Two rows with every kind of column, written by pyarrow and compressed with zstd. */
const FILE = Buffer.from(
  [
    'UEFSMRUAFSAVMiwVBBUAFQYVBhwAAAAotS/9IBCBAAACAAAABAEBAAAAYQEAAABiFQAVLBU+LBUEFQAVBhUGHAAAACi1L/0gFrEA',
    'AAIAAAAEAf////////9/AQAAAAAAAAAVABUcFS4sFQQVABUGFQYcAAAAKLUv/SAOcQAAAgAAAAMBmpmZmZmZuT8VABVMFTgsFQQV',
    'ABUGFQYcAAAAKLUv/SAmnQAAWAIAAAAEAQAEzv/7AgBAHgcwAhUAFRwVLiwVBBUAFQYVBhwAAAAotS/9IA5xAAACAAAAAwFAEts5',
    'YxcGABUAFRwVLiwVBBUAFQYVBhwAAAAotS/9IA5xAAACAAAAAwEAngY0jwEAABUAFRQVJiwVBBUAFQYVBhwAAAAotS/9IApRAAAC',
    'AAAAAwGETQAAFQAVDhUgLBUEFQAVBhUGHAAAACi1L/0gBzkAAAIAAAAEAQEVABUaFSwsFQQVABUGFQYcAAAAKLUv/SANaQAAAgAA',
    'AAMBAwAAAAD/EBUAFS4VQCwVBhUAFQYVBhwAAAAotS/9IBe5AAACAAAAAwIDAAAAAx8AAQAAAHgBAAAAeRUAFRYVKCwVBBUAFQYV',
    'BhwAAAAotS/9IAtZAAADAAAAAwIAAQAAABUEGfwPNQAYBnNjaGVtYRUWABUMJQIYAmlkJQBMHAAAABUEJQIYAW4AFQolAhgBcgAV',
    'DhUgFQIYBXByaWNlJQoVBBVMLFwVBBVMAAAAFQQlAhgCYXQlFEyMERwsAAAAAAAVBCUCGAVsb2NhbCUSTIwSHBwAAAAAABUCJQIY',
    'A2RheSUMTGwAAAAVACUCGAJvawAVDCUCGANyYXcANQIYBHRhZ3MVAhUGTDwAAAA1BBgEbGlzdBUCABUMJQIYB2VsZW1lbnQlAEwc',
    'AAAANQIYBWlubmVyFQIAFQIlAhgBawAWBBkcGbwmABwVDBklBgAZGAJpZBUMFgQWRhZYJghJHBUAFQAVAgA8FgQZBhkmAAQAAAAm',
    'ABwVBBklBgAZGAFuFQwWBBZSFmQmYEkcFQAVABUCADwpBhkmAAQAAAAmABwVChklBgAZGAFyFQwWBBZCFlQmxAFJHBUAFQAVAgA8',
    'KQYZJgICAAAAJgAcFQ4ZJQYAGRgFcHJpY2UVDBYEFnIWXiaYAkkcFQAVABUCADwpBhkmAAQAAAAmABwVBBklBgAZGAJhdBUMFgQW',
    'QhZUJvYCSRwVABUAFQIAPCkGGSYCAgAAACYAHBUEGSUGABkYBWxvY2FsFQwWBBZCFlQmygNJHBUAFQAVAgA8KQYZJgICAAAAJgAc',
    'FQIZJQYAGRgDZGF5FQwWBBY6FkwmngRJHBUAFQAVAgA8KQYZJgICAAAAJgAcFQAZJQYAGRgCb2sVDBYEFjQWRibqBEkcFQAVABUC',
    'ADwpBhkmAAQAAAAmABwVDBklBgAZGANyYXcVDBYEFkAWUiawBUkcFQAVABUCADwWBhkGGSYCAgAAACYAHBUMGSUGABk4BHRhZ3ME',
    'bGlzdAdlbGVtZW50FQwWBhZUFmYmggZJHBUAFQAVAgA8FgQZJgQCGUYAAgAEAAAAJgAcFQIZJQYAGSgFaW5uZXIBaxUMFgQWPBZO',
    'JugGSRwVABUAFQIAPCkGGTYCAAIAAAAWjgYWBCYIFq4HACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZvBwAABwA',
    'ABwAABwAABwAABwAABwAABwAABwAABwAABwAAAA9AwAAUEFSMQ==',
  ].join(''),
  'base64',
)

async function read(content: Buffer, columns: readonly string[] = []) {
  const bytes = (async function* () {
    yield content
  })()
  const found: unknown[] = []
  for await (const result of readRecords({ name: 'x.parquet', bytes }, { columns }))
    found.push('record' in result ? [result.line, result.record] : result.fault)
  return found
}

test('the rows of a Parquet file become records with exact values', async () => {
  assert.deepEqual(await read(FILE), [
    [
      1,
      {
        id: 'a',
        n: '9223372036854775807',
        r: 0.1,
        price: '12.30',
        at: '2024-05-01T12:00:00.123456Z',
        local: '2024-05-01T12:00:00',
        day: '2024-05-01',
        ok: true,
        raw: 'AP8Q',
        tags: ['x', 'y'],
        inner: { k: 1 },
      },
    ],
    [2, { id: 'b', n: 1, price: '-0.05', ok: false, tags: [] }],
  ])
})

test('a Parquet file that is damaged or lacks a required column is refused', async () => {
  await assert.rejects(read(FILE.subarray(0, 900)), {
    name: 'SourceFault',
    message: /^x\.parquet: the Parquet file cannot be read/,
  })
  await assert.rejects(
    read(FILE, ['none']),
    /x\.parquet: there is no column "none"; the columns are id, n, r, price/,
  )
})
