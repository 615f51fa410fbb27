/**
 * Measures the first load of a replica: `node --conditions=@worldwright/source bench/replica.ts [FILE…]`. The upstream
 * and the replica, which has a search index, are separate `world serve` processes connected over loopback. Compares the
 * load with an import of the same file. Linux only: memory is read from `/proc`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { filesToLoad, peakOf, ROOT } from './measured-loads.ts'

/** Minimum entities per second that a replica with an index must load. */
const BAR = 15_000

function world(cwd: string, ...args: string[]): ChildProcess {
  const argv = ['--conditions=@worldwright/source', join(ROOT, 'packages/cli/src/main.ts'), ...args]
  return spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Waits until the stderr of a process matches a pattern. Throws if the process exits first. */
async function saidBy(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let said = ''
  for await (const chunk of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk
    const match = pattern.exec(said)
    if (!match) continue
    // Keep draining the pipe, because the process blocks when it is full.
    child.stderr?.resume()
    return match
  }
  throw new Error(said)
}

/** Returns the processor time used by a process, in seconds. */
function processorSecondsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function row(name: string, entities: number, seconds: number, rest: string): string {
  const speed = Math.round(entities / seconds)
  return `| ${name} | ${entities.toLocaleString('en')} | ${seconds.toFixed(1)} | ${speed.toLocaleString('en')} | ${rest} |\n`
}

process.stdout.write(
  `| bar ${BAR.toLocaleString('en')}/s | entities | seconds | entities/s | of import's speed | processor s: upstream, replica | resident MB: upstream, replica |\n|---|---|---|---|---|---|---|\n`,
)
for (const file of filesToLoad()) {
  const folder = mkdtempSync(join(tmpdir(), 'world-bench-'))
  const children: ChildProcess[] = []
  try {
    const begun = performance.now()
    const load = world(folder, 'import', file, '--store', 'sqlite:upstream.db')
    const [code] = await once(load, 'exit')
    if (code !== 0) throw new Error(`The import ended with code ${code}.`)
    const importSeconds = (performance.now() - begun) / 1_000
    const upstream = world(folder, 'serve', '--store', 'sqlite:upstream.db', '--port', '0', '--workers', '1')
    children.push(upstream)
    const [, origin = ''] = await saidBy(upstream, /Serving at (\S+)/)
    const start = performance.now()
    const argv = ['serve', '--follow', origin, '--store', 'sqlite:copy.db', '--port', '0', '--workers', '1']
    const replica = world(folder, ...argv)
    children.push(replica)
    const [, changes = ''] = await saidBy(replica, /Caught up with \S+ after ([\d,]+) change/)
    const seconds = (performance.now() - start) / 1_000
    const entities = Number(changes.replaceAll(',', ''))
    const used = [upstream, replica].map((child) => processorSecondsOf(child).toFixed(1)).join(', ')
    const rest = `${(importSeconds / seconds).toFixed(2)} | ${used} | ${peakOf(upstream.pid)}, ${peakOf(replica.pid)}`
    process.stdout.write(row(`replica of ${basename(file)}`, entities, seconds, rest))
  } finally {
    await Promise.all(children.map(stopped))
    rmSync(folder, { recursive: true })
  }
}
