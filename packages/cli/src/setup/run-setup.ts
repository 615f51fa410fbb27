import { once } from 'node:events'
import { resolve } from 'node:path'
import { emptyDefinition } from '@worldwright/publish'
import { runServe } from '@worldwright/serve'
import { settingsFrom } from '@worldwright/serve/open'
import type { ServeOptions } from '@worldwright/serve/runtime'
import { type Io, say, UsageFault } from '@worldwright/serve/terminal'
import { refuseDefined, toSetText } from './inputs.ts'
import { HOST, serveSetup } from './serve-setup.ts'

/** Serves the setup page until a definition is written, and then its world, until the signal aborts. */
export async function runSetup(path: string | undefined, options: ServeOptions, io: Io): Promise<number> {
  const folder = resolve(io.cwd, path ?? '.')
  const { host, port, readOnly, follow } = settingsFrom(emptyDefinition(), options, io)
  if (host !== HOST && host !== 'localhost')
    throw new UsageFault(`--setup listens on ${HOST} only, and not on ${host}. Leave out --host.`)
  if (readOnly || follow !== undefined)
    throw new UsageFault('--setup writes a world: leave out --read-only and --follow.')
  await refuseDefined(folder)
  const page = await serveSetup(port, { ...io, cwd: folder })
  say(io, `Set up the world in a browser, by this address that works once: ${page.url}`)
  const ended = io.signal.aborted ? Promise.resolve() : once(io.signal, 'abort')
  const setup = await Promise.race([ended.then(() => undefined), page.published])
  await page.close()
  if (setup === undefined) return 0
  for (const name of setup.toSet) {
    say(io, toSetText(name))
    process.env[name] = setup.env[name]
  }
  return runServe(folder, { ...options, host: HOST, port: `${page.port}` }, io)
}
