import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BulkResult, Operator, type Row } from '@worldwright/client/operator'
import type { Snapshot } from '@worldwright/core/store'
import type { ImportResult } from '@worldwright/publish'
import type { ImportFlags } from '@worldwright/serve/loading'
import { connectTo, withReader } from '@worldwright/serve/open'
import {
  count,
  FAILED,
  type Io,
  jsonText,
  say,
  UsageFault,
  visible,
  writeLine,
} from '@worldwright/serve/terminal'

/** Default name of the rejects file, in the current folder. */
const REJECTS = 'import.rejected.ndjson'

/** Loads files into the store that the flags name, and reports the result. */
type Load = (flags: ImportFlags) => Promise<ImportResult>

/**
 * Writes the valid records of files to the world at `to`, one type at a time and in batches; with `replace`, in one batch
 * per type. All records are validated before any is sent. Returns exit code 1 if any record was rejected, locally or there.
 */
export async function importTo(to: string, flags: ImportFlags, load: Load, io: Io): Promise<number> {
  if (flags.store !== undefined) throw new UsageFault('Records go to a world (--to) or to a store (--store).')
  const operator = flags.dryRun ? undefined : new Operator(await connectTo(to, flags, io))
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-'))
  try {
    const url = `sqlite:${join(folder, 'import.db')}`
    const rejects = flags.rejects ?? (flags.dryRun ? undefined : resolve(io.cwd, REJECTS))
    const read = await load({
      ...flags,
      store: url,
      replace: false,
      ...(rejects !== undefined && { rejects }),
    })
    const total = { created: 0, changed: 0, unchanged: 0, deleted: 0, rejected: 0 }
    if (operator && read.types.length > 0)
      await withReader(url, async (store) => {
        const snapshot = await store.snapshot()
        try {
          for (const type of read.types) add(total, await send(operator, type, snapshot, flags, io))
        } finally {
          await snapshot.close()
        }
      })
    const { created, changed, unchanged, deleted, rejected } = total
    say(
      io,
      `Written to ${visible(to)}: ${created} new, ${changed} changed, ${unchanged} unchanged, ${deleted} deleted, ${rejected} rejected there.`,
    )
    if (flags.json) await writeLine(io.stdout, jsonText({ ...total, rejected: read.rejected + rejected }))
    return read.rejected + rejected > 0 ? FAILED : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function add(total: Omit<BulkResult, 'position'>, one: BulkResult): void {
  for (const name of ['created', 'changed', 'unchanged', 'deleted', 'rejected'] as const)
    total[name] += one[name]
}

function send(
  operator: Operator,
  type: string,
  snapshot: Snapshot,
  { replace, onInvalid }: ImportFlags,
  io: Io,
): Promise<BulkResult> {
  const ids: string[] = []
  async function* rows(): AsyncGenerator<Row> {
    for await (const { id, json } of snapshot.entities(type)) {
      const { title, summary, attributes } = JSON.parse(json)
      if (ids.length < SHOWN) ids.push(id)
      yield { id, title, summary, attributes }
    }
  }
  return operator.bulk(type, rows(), {
    signal: io.signal,
    replace,
    onInvalid: onInvalid === 'stop' ? 'stop' : 'reject',
    onProgress: ({ rows }) => io.stderr.isTTY && say(io, `${type}: ${count(rows, 'row')} sent`),
    onRejected: ({ row, fields }) => {
      const [fault] = fields
      say(
        io,
        visible(`  ${type} ${ids[row] ?? `row ${row + 1}`} ${fault?.['pointer']}: ${fault?.['message']}`),
      )
    },
  })
}

/** Maximum number of ids remembered for messages about rejected rows. Later rows are identified by row number. */
const SHOWN = 100_000
