/** Reads the records of JSON documents with the parser of the runtime. */
import { readFileSync } from 'node:fs'
import { exactJson, type Raw, type RawTable } from './compare.ts'
import type { Hints } from './files.ts'

type Members = Readonly<Record<string, Raw>>

/** Reads a list of objects, the lines of NDJSON, a map of objects or GeoJSON features as a table. */
export function documentTable(file: string, { list }: Hints): RawTable {
  const text = readFileSync(file, 'utf8')
  const isLines = /^\{.*\}\s*\n\{/.test(text)
  const whole = isLines ? text.trim().split('\n').map(exactJson) : exactJson(text)
  const part = list === undefined ? whole : (whole as Members)[list]
  const records = Array.isArray(part)
    ? (part as Members[])
    : Object.entries(part as Members).map(([key, one]) => ({ $key: key, ...(one as Members) }))
  const rows: Members[] = list === 'features' ? records.map(featureMembers) : records
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return { columns, rows: rows.map((row) => columns.map((name) => row[name] ?? null)), lines: [] }
}

/** Returns the properties of a feature beside its own members; `type` says only that it is one. */
function featureMembers({ type: _, properties, ...own }: Members): Members {
  return { ...(properties as Members), ...own }
}
