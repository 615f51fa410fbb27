import { rmSync } from 'node:fs'
import { storeAt, storeUrl } from '@worldwright/engines'
import { resultOf } from '@worldwright/publish'
import { runInThread } from '@worldwright/serve/loading'
import { count, type Io, jsonText, say, UsageFault, writeLine } from '@worldwright/serve/terminal'

/** Command-line flags of `world copy`. */
export interface CopyOptions {
  readonly json?: boolean
}

/** Copies a store to a new one, verifies the copy, and prints the copy's entity count and content hash. */
export async function copyCommand(from: string, to: string, { json }: CopyOptions, io: Io): Promise<number> {
  const [source, target] = [storeUrl(from, io.cwd), storeUrl(to, io.cwd)]
  const { name, exists } = await storeAt(source)
  if (!(await exists())) throw new UsageFault(`There is no store ${name}.`)
  const run = runInThread(
    { task: 'copyStores', input: { from: source, to: target } },
    { signal: io.signal, stopsAtOnce: true },
  )
  const { file } = await storeAt(target)
  const report = await resultOf(run).catch((error) => {
    // A terminated thread cannot remove its own file.
    if (io.signal.aborted && target.startsWith('sqlite:')) rmSync(`${file}.partial`, { force: true })
    throw error
  })
  say(io, `Copied ${count(report.entities, 'entity', 'entities')} to ${(await storeAt(target)).name}.`)
  say(io, `Content hash ${report.contentHash}`)
  if (json) await writeLine(io.stdout, jsonText(report))
  return 0
}
