/** Extension `worldwright:explorer`: the page at `/`, the component for other pages, and their parts at `/_explorer/`. */
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

/** Cache policy of assets, whose names contain a digest of their content. */
const FOREVER = 'public, max-age=31536000, immutable'

/** Path of the web component `<world-view>`, which never changes. */
const COMPONENT = 'world-view.js'

/** A file of the explorer, as it is served. */
export interface ExplorerFile {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Returns the explorer's files, with the page at `/` first; undefined if the explorer was not built. */
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
      fileOf(`/${COMPONENT}`, await readFile(new URL(COMPONENT, folder)), '.js', {
        'cache-control': 'public, no-cache',
        'cross-origin-resource-policy': 'cross-origin',
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

/** The built files of the explorer. */
export interface Explorer {
  /** The page, into which worlds can render their content. */
  readonly page: Shell
  /** All files, with the page first. */
  readonly files: readonly ExplorerFile[]
}

/** Reads the files of the explorer. Returns undefined if the explorer was not built. */
export async function openExplorer(): Promise<Explorer | undefined> {
  const files = await explorerFiles()
  const page = files?.[0]
  return files && page && { page: { text: page.body.toString(), headers: page.headers }, files }
}

/**
 * Serves each file at its own route, so that no other path reaches the disk. The files contain no data of the world and are
 * always public. If `hasHome` is true, another extension serves `/`.
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

/** Returns the Content-Security-Policy in the page, which protects it on other servers. The header field extends it. */
function policyIn(page: string): string {
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1]
  if (policy === undefined) throw new Error('the explorer was built without its Content-Security-Policy')
  return policy
}
