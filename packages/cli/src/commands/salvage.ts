import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { storeAt, storeUrl } from '@worldwright/engines'
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
import type { SalvageReport } from '@worldwright/sqlite'
import { writeFault } from '../terminal/write-fault.ts'

/** Command-line flags of `world salvage`. */
export interface SalvageOptions {
  readonly json?: boolean
}

/** Writes the intact entities of a damaged store to a new NDJSON file. Returns exit code 1 if anything is missing. */
export async function salvageCommand(
  storeFile: string,
  target: string,
  { json }: SalvageOptions,
  io: Io,
): Promise<number> {
  const store = await storeAt(storeUrl(`sqlite:${storeFile}`, io.cwd))
  if (!(await store.exists())) throw new UsageFault(`There is no file ${storeFile}.`)
  const file = resolve(io.cwd, target)
  let report: SalvageReport | undefined
  function* lines(): Generator<string> {
    const entities = store.salvage()
    let next = entities.next()
    for (; !next.done; next = entities.next()) yield `${next.value.json}\n`
    report = next.value
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(file, { flags: 'wx' }), { signal: io.signal })
  } catch (error) {
    throw writeFault(error, file)
  }
  if (report === undefined) throw new Error('a store that was read has a report')
  tell(report, target, io)
  if (json) await writeLine(io.stdout, jsonText(report))
  const { damaged, lost, unreadable, logDamagedAt } = report
  return damaged + lost + unreadable > 0 || logDamagedAt !== undefined ? FAILED : 0
}

function tell(report: SalvageReport, target: string, io: Io): void {
  const { saved, damagedExamples, lostExamples, damagedPages, pageBytes, logDamagedAt } = report
  for (const example of damagedExamples) say(io, visible(`damaged: ${example}.`))
  for (const example of lostExamples) say(io, visible(`lost: ${example}.`))
  for (const page of damagedPages)
    say(io, `damaged: page ${page}, bytes ${(page - 1) * pageBytes} to ${page * pageBytes - 1} of the file.`)
  if (logDamagedAt !== undefined)
    say(io, `damaged: the log, from byte ${logDamagedAt} on. What was written after that is lost.`)
  const missing = `${count(report.damaged, 'entity is', 'entities are')} damaged, ${report.lost} lost, ${count(report.unreadable, 'record', 'records')} unreadable.`
  say(io, `Saved ${count(saved, 'entity', 'entities')} to ${target}. ${missing}`)
}
