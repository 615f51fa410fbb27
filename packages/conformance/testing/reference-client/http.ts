/** Requests of the reference client, over node:http, so that nothing is normalised on the way. */
import { request } from 'node:http'
import { type Breaks, Failed } from './breaks.ts'

const TIMEOUT_MS = 3_000
const MOST_BYTES = 4_000_000

/** A response, with its body as text. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly location: string | undefined
}

/** Members of a request besides its URL. */
export interface Call {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Sends one request as written. Rejects with `Failed` if there is no whole answer. */
export function send(
  url: string,
  { method = 'GET', headers = {}, body }: Call,
  is: Breaks,
  signal: AbortSignal,
): Promise<Answer> {
  const [, host = '', path = '/'] = /^http:\/\/([^/]+)(\/.*)?$/.exec(url) ?? []
  const [hostname, port] = host.split(':')
  return new Promise((resolve, reject) => {
    const refuse = (status: number, code: string) => reject(new Failed(status, code, url))
    const sent = request({ hostname, port, path, method, headers, signal }, (response) => {
      let text = ''
      const { 'content-length': length, 'transfer-encoding': coding } = response.headers
      const unread =
        (is('needs-length') && length === undefined && coding === undefined) || (is('no-chunks') && coding)
      if (unread) return refuse(0, 'invalid_response')
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length <= MOST_BYTES || is('reads-all')) return
        refuse(0, 'response_too_large')
        sent.destroy()
      })
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, text, location: response.headers.location })
      })
      response.on('aborted', () =>
        is('truncated-ok')
          ? resolve({ status: 200, text: '{}', location: undefined })
          : refuse(0, 'network_error'),
      )
    })
    const timer = setTimeout(() => {
      if (is('waits')) return
      refuse(0, 'timeout')
      sent.destroy()
    }, TIMEOUT_MS)
    timer.unref()
    sent.on('error', () => refuse(is('no-status-0') ? 500 : 0, 'network_error'))
    sent.end(body)
  })
}
