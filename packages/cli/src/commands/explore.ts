import { once } from 'node:events'
import { profileOf } from '@worldwright/client/foreign'
import { connectTo, explorerFiles, type ReadingOptions } from '@worldwright/serve/open'
import { type Io, say, UsageFault } from '@worldwright/serve/terminal'
import { proxiedFetch } from '../explore/proxied-fetch.ts'
import { createProxy } from '../explore/proxy.ts'
import { serveExplorer } from '../explore/serve-explorer.ts'

/** Command-line flags of `world explore`. */
export interface ExploreOptions extends Pick<ReadingOptions, 'names' | 'profileFile'> {
  readonly port: number
}

/** Serves the explorer until the signal is aborted. Fails immediately if there is no world at the origin. */
export async function explore(typed: string, { port, ...reading }: ExploreOptions, io: Io): Promise<number> {
  const files = await explorerFiles()
  if (!files)
    throw new UsageFault('The explorer has not been built here: npm run build -w @worldwright/explorer')
  const fetch = await proxiedFetch(typed, io)
  const world = await connectTo(typed, reading, { ...io, fetch })
  const { origin, document } = world
  const proxy = createProxy(origin, document.endpoints.api, fetch)
  const named = { names: reading.names ?? {}, ...(reading.profileFile && { profile: profileOf(world) }) }
  const page = await serveExplorer(files, { origin, ...named }, proxy, port)
  say(io, `Look at ${origin} here: ${page.url}`)
  if (!io.signal.aborted) await once(io.signal, 'abort')
  await page.close()
  return 0
}
