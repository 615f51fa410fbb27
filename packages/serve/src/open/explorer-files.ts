/** The extension `worldwright:explorer`, the built files of the explorer: the page at `/`, its assets under `/_explorer/`. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Extension, Route, WorldResponse } from '@worldwright/core'
import type { Shell } from '@worldwright/extensions/pages'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Cache policy of assets: a name holds a digest of the content, so the content of a name never changes. */
const FOREVER = 'public, max-age=31536000, immutable'

/** One of the explorer's files, as it is served. */
export interface ExplorerFile {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Returns the explorer's files, the page at `/` first; `undefined` if it has not been built. */
export async function explorerFiles(): Promise<ExplorerFile[] | undefined> {
  const folder = new URL('dist/', import.meta.resolve('@worldwright/explorer/package.json'))
  try {
    const assets = new URL('_explorer/', folder)
    const page = await readFile(new URL('index.html', folder))
    const names = await readdir(assets)
    return [
      fileOf('/', page, '.html', {
        'cache-control': 'no-cache',
        'content-security-policy': `${policyIn(page.toString())}; frame-ancestors 'none'`,
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      }),
      ...(await Promise.all(
        names.map(async (name) =>
          fileOf(`/_explorer/${name}`, await readFile(new URL(name, assets)), extname(name), {
            'cache-control': FOREVER,
          }),
        ),
      )),
    ]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Files of the explorer as built. */
export interface Explorer {
  /** The page, for worlds that render their contents into it. */
  readonly page: Shell
  /** All files, the page first. */
  readonly files: readonly ExplorerFile[]
}

/** Reads the files of the explorer; undefined if it has not been built. */
export async function openExplorer(): Promise<Explorer | undefined> {
  const files = await explorerFiles()
  const page = files?.[0]
  return files && page && { page: { text: page.body.toString(), headers: page.headers }, files }
}

/**
 * Serves the files, each at a route of its own, so that no other path reaches the disk. They are public: the page that reads
 * worlds contains none of their data. `hasHome`: another extension answers at `/`.
 */
export function explorer({ files }: Explorer, hasHome: boolean): Extension {
  return () => ({ name: 'worldwright:explorer', routes: files.slice(hasHome ? 1 : 0).map(routeOf) })
}

function routeOf({ path, headers, body }: ExplorerFile): Route {
  const answers = headers['content-type']?.split(';')[0]
  const whole: WorldResponse = { status: 200, headers, body, cacheable: {}, memoizable: true }
  return { path, ...(answers && { answers: [answers] }), open: true, methods: { GET: () => whole } }
}

function fileOf(path: string, body: Buffer, ending: string, fields: Record<string, string>): ExplorerFile {
  const type = TYPES[ending] ?? 'application/octet-stream'
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { path, headers: { 'content-type': type, etag, ...fields }, body }
}

/** Returns the policy in the page, which carries it for the sake of any file server; the header repeats and extends it. */
function policyIn(page: string): string {
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1]
  if (policy === undefined) throw new Error('the explorer was built without its Content-Security-Policy')
  return policy
}
