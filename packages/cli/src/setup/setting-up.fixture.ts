/** The setup page of a folder, asked as a browser asks. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { memoryOutput } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'
import { serveSetup } from './serve-setup.ts'

/** Headers by their lower-case names. */
export type Headers = Record<string, string>
interface Answer {
  readonly status: number | undefined
  readonly headers: Headers
  readonly body: string
}

/** Serves the setup of a folder, and returns functions that send requests with the headers of its page. */
export async function settingUp(t: TestContext, files: Record<string, string> = {}) {
  const cwd = await folderOf(t, files)
  const { stream, text: said } = memoryOutput()
  const stdin = (async function* () {})()
  const { signal } = new AbortController()
  const served = await serveSetup(0, { stdin, stdout: stream, stderr: stream, env: {}, cwd, signal })
  t.after(() => served.close())
  const origin = `http://127.0.0.1:${served.port}`
  const ask = (path: string, headers: Headers = {}, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const asked = request(`${origin}${path}`, { method, headers: { connection: 'close', ...headers } })
      asked.on('error', reject).on('response', async (response) => {
        const { statusCode: status, headers } = response
        resolve({ status, headers: { ...headers } as Headers, body: await text(response) })
      })
      asked.end(body)
    })
  const token = served.url.slice(origin.length)
  const open = async () => {
    const { headers } = await ask(token)
    const cookie = `${headers['set-cookie']}`.replace(/;.*/, '')
    const own = { cookie, origin }
    return {
      own,
      get: () => ask('/setup', own),
      post: (fields: Record<string, string>) => ask('/setup', own, `${new URLSearchParams(fields)}`),
      send: (name: string, content: string) =>
        ask(`/setup/file?name=${encodeURIComponent(name)}`, own, content),
    }
  }
  return { cwd, origin, token, ask, open, said, published: served.published }
}

/** Returns the fields of the corrections in a page, with the values that a browser would send. */
export function fieldsIn(page: string): Record<string, string> {
  const [, form = ''] = /<form id="corrections".*?>(.*?)<\/form>/s.exec(page) ?? []
  const inputs = [...form.matchAll(/<input(?! type="checkbox")[^>]* name="([^"]+)"[^>]* value="([^"]*)"/g)]
  const selects = [...form.matchAll(/<select[^>]* name="([^"]+)".*?<\/select>/gs)].map(
    ([select, name = '']) => {
      const value = /value="([^"]*)" selected/.exec(select) ?? /value="([^"]*)"/.exec(select)
      return [name, value?.[1] ?? ''] as const
    },
  )
  return Object.fromEntries([
    ...inputs.map(([, name = '', value = '']) => [name, value] as const),
    ...selects,
  ])
}
