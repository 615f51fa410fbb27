/** Responses whose head is built once and cached. */
import { ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { WorldResponse } from '@worldwright/core'

type Fields = WorldResponse['headers']

/**
 * A response whose head can be set as prebuilt text, stored where Node.js stores its own. `writeHead` would validate
 * and join the same fields for every request, which is a tenth of the cost of a small response.
 */
export class KeptHeadResponse extends ServerResponse {
  /** Head of the response as text. If it is still null when the response is sent, Node.js builds it. */
  declare _header: string | null
  /** True while the client awaits `100 Continue`. If it is never sent, a body may still follow, so close the connection. */
  isAwaited = false

  override writeContinue(callback?: () => void): void {
    this.isAwaited = false
    super.writeContinue(callback)
  }

  /** Reports whether the connection stays open after this response. */
  staysOpen(): boolean {
    return this.shouldKeepAlive && !this.isAwaited && !this.hasHeader('connection')
  }

  /** Sets the head for a connection that stays open. @throws TypeError for an invalid field name or value */
  keepHead({ status, headers: fields, requestId }: WorldResponse, keepAliveSeconds: number): void {
    const known = heads.get(fields)
    const kept = known?.status === status ? known.text : checkedHead(status, fields)
    const id = requestId === undefined ? '' : `request-id: ${requestId}\r\n`
    this.statusCode = status
    this._header = `${kept}${id}Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`
  }
}

/** Cached heads, keyed by their fields object. Only frozen objects are used as keys, because they cannot change. */
const heads = new WeakMap<Fields, { readonly status: number; readonly text: string }>()

function checkedHead(status: number, fields: Fields): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  for (const [name, value] of Object.entries(fields)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    text += `${name}: ${value}\r\n`
  }
  if (Object.isFrozen(fields)) heads.set(fields, { status, text })
  return text
}

let lastSecond = 0
let lastDate = ''

function dateNow(): string {
  const second = Math.floor(Date.now() / 1_000)
  if (second !== lastSecond) {
    lastSecond = second
    lastDate = new Date(second * 1_000).toUTCString()
  }
  return lastDate
}
