/** Server of the setup page, on loopback, for the one browser that opens the address with the token. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Html } from '@worldwright/extensions/pages'
import { isInputName } from '@worldwright/publish'
import { listening } from '@worldwright/serve/runtime'
import { type Io, reportFailure, UsageFault } from '@worldwright/serve/terminal'
import { ASSETS } from './assets.ts'
import { choicesFrom, messagesOf } from './form.ts'
import { refuseDefined, writeDefinition } from './inputs.ts'
import { publishedPage, setupPage } from './page.ts'
import { emptySetup, type Setup, withInput, withProposal } from './setup.ts'

/** The only address that the setup page listens on. */
export const HOST = '127.0.0.1'
/** Maximum size of a file that is sent, in bytes. Larger ones are named by their path. */
const MOST_FILE_BYTES = 2 ** 30
/** Maximum size of a form, in bytes: room for ten thousand columns. */
const MOST_FORM_BYTES = 2 ** 22
/** Time for the last page to load its script and to ask again, in milliseconds. */
const LINGER_MS = 3_000
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  // With no-referrer, browsers would send forms without their origin.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** A refused request, with its status. */
class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Serves the setup page of the folder `cwd`. `published` resolves once world.yaml is written. @throws ListenFault */
export async function serveSetup(wanted: number, io: Io) {
  const published = Promise.withResolvers<Setup>()
  const admit = admission()
  let setup = emptySetup(io)
  let isBusy = false
  let timer: NodeJS.Timeout | undefined
  const server = createServer(async (request, response) => {
    try {
      const url = admit(request, response, port)
      const asset = ASSETS.get(url.pathname)
      if (asset) return send(response, 200, ...asset)
      if (isBusy) throw new Refusal(409, 'The last request is still being answered. Try again then.')
      isBusy = true
      const { isWritten } = setup
      setup = await answer(request, response, url, setup).finally(() => {
        isBusy = false
      })
      if (isWritten) published.resolve(setup)
      else if (setup.isWritten) timer = setTimeout(published.resolve, LINGER_MS, setup)
    } catch (error) {
      // The browser has gone.
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return
      if (!(error instanceof Refusal)) reportFailure(error, io, false)
      const [status, text] =
        error instanceof Refusal ? [error.status, error.message] : [500, 'It failed. Look at the terminal.']
      if (!response.headersSent) send(response, status, text)
    }
  })
  const { port, close } = await listening(server, HOST, wanted)
  return {
    port,
    url: `http://${HOST}:${port}/setup?token=${admit.token}`,
    published: published.promise,
    async close() {
      clearTimeout(timer)
      await close()
    },
  }
}

/** Creates the check of requests: of their host and origin, and of the session, which the token opens once. */
function admission() {
  const [token, session] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url'))
  let isUsed = false
  const admit = (
    { headers, method, url: target = '' }: IncomingMessage,
    response: ServerResponse,
    port: number,
  ) => {
    const { host, origin, cookie = '' } = headers
    // Browsers send a cookie to all ports of a host.
    const name = `worldwright-setup-${port}`
    // An attacker's host name that resolves to this machine would be in `Host`.
    if (host !== `${HOST}:${port}` && host !== `localhost:${port}`)
      throw new Refusal(421, 'Ask by the address that the terminal shows.')
    if (method !== 'GET' && origin !== `http://${host}`) throw new Refusal(403, 'Another site sent this.')
    const url = URL.parse(target, `http://${host}`)
    if (url === null || !url.pathname.startsWith('/setup')) throw new Refusal(404, 'The setup is at /setup.')
    if (isSame(new RegExp(`(?:^|; )${name}=([^;]*)`).exec(cookie)?.[1], session)) return url
    if (isUsed || url.pathname !== '/setup' || !isSame(url.searchParams.get('token'), token))
      throw new Refusal(403, 'Open the address that the terminal shows. It works once, in one browser.')
    isUsed = true
    response.setHeader('set-cookie', `${name}=${session}; Path=/setup; HttpOnly; SameSite=Strict`)
    return url
  }
  return Object.assign(admit, { token })
}

/** Compares secrets in a time that does not depend on them. */
function isSame(given: string | null = '', secret = ''): boolean {
  const [one, other] = [given ?? '', secret].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one as Buffer, other as Buffer)
}

function send(response: ServerResponse, status: number, said: string | Html, type?: string): void {
  const [kind, text] = typeof said === 'string' ? ['text/plain', said] : ['text/html', said.text]
  response.writeHead(status, { ...HEADERS, 'content-type': `${type ?? kind}; charset=utf-8` }).end(text)
}

/** Answers a request of the session. Returns the setup that it makes of the one before. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, searchParams }: URL,
  before: Setup,
): Promise<Setup> {
  if (before.isWritten) {
    send(response, 200, publishedPage(before))
    if (!response.closed) await once(response, 'close')
    return before
  }
  if (request.method === 'POST' && pathname === '/setup/file') {
    const next = await received(request, searchParams.get('name') ?? '', before)
    send(response, 200, 'Received.')
    return next
  }
  if (pathname !== '/setup') throw new Refusal(404, 'There is nothing here.')
  const form = request.method === 'POST' ? await formOf(request) : new URLSearchParams()
  const asked = form.get('do')
  const only = (form.get('only') ?? '').split(',').flatMap((name) => name.trim() || [])
  let setup = before
  try {
    if (asked === 'reset') setup = emptySetup(before)
    else if (asked === 'add')
      setup = await withInput(before, form.get('path')?.trim() ?? '', only.length > 0 ? only : undefined)
    else if (asked !== null) {
      if (!before.shown || form.get('survey') !== before.survey)
        throw new UsageFault('The data are no longer those of your form. Look at them as they are now.')
      const choices = choicesFrom(form, before.shown.tables)
      // If the corrections fail, what was tried before them is not shown.
      const { trial: _, ...shown } = before.shown
      setup = { ...before, name: form.get('name') || undefined, choices, shown }
      setup = await withProposal(setup)
    }
    const { shown } = setup
    if (asked !== 'publish' || !shown) send(response, 200, setupPage(setup, MOST_FILE_BYTES))
    else if (shown.text !== before.shown?.text && shown.trial?.rejected !== 0)
      throw new UsageFault('Not every record can be loaded. Look at the result, and publish if it is right.')
    else {
      await refuseDefined(setup.cwd)
      await writeDefinition(setup.cwd, shown.text)
      send(response, 200, publishedPage(setup))
      return { ...setup, isWritten: true }
    }
  } catch (error) {
    if (!isSaid(error)) throw error
    send(response, 422, setupPage(setup, MOST_FILE_BYTES, messagesOf(error, before.shown?.tables)))
  }
  return setup
}

/** Reports whether an error is about what is given, or the system, so that its message helps. */
function isSaid(error: unknown): error is Error {
  return error instanceof Error && (/Fault$/.test(error.name) || 'syscall' in error)
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks = await Array.fromAsync(bounded(request, MOST_FORM_BYTES))
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

async function* bounded(body: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most)
      throw new Refusal(413, `At most ${most / 2 ** 20} MiB can be sent. Name the path of a larger file.`)
    yield chunk
  }
}

/** Names of files that are not written: paths, hidden files and definitions. */
const FORBIDDEN = /[/\\:\p{Cc}]|^\.|^world\.(?:ya?ml|json)$|^.{200}/iu

/** Writes a sent file into the folder, and adds it. @throws Refusal for a name that is taken or none of a data file */
async function received(request: IncomingMessage, name: string, setup: Setup): Promise<Setup> {
  if (FORBIDDEN.test(name) || !isInputName(name))
    throw new Refusal(400, `${JSON.stringify(name)} is no name of a data file that can be read.`)
  const path = join(setup.cwd, name)
  const file = await open(path, 'wx').catch(({ code, message }) => {
    if (code !== 'EEXIST') throw new Refusal(422, message)
    throw new Refusal(409, `${name} is in the folder already, and stays. Name it as a path, or rename yours.`)
  })
  try {
    await pipeline(request, (body) => bounded(body, MOST_FILE_BYTES), file.createWriteStream())
    return await withInput(setup, path)
  } catch (error) {
    await rm(path, { force: true })
    throw isSaid(error) ? new Refusal(422, error.message) : error
  }
}
