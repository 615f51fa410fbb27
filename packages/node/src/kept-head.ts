/** Responses with a prebuilt head: the only part of a cached answer that would be built anew each time. */
import { ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import type { WorldResponse } from '@worldwright/core'

type Fields = WorldResponse['headers']

/**
 * A response that can take its head as text. `writeHead` checks and joins the same fields for every request, a tenth of
 * the cost of a small answer; here they are checked and joined once, and stored where Node.js keeps its own result.
 */
export class KeptHeadResponse extends ServerResponse {
  /** The head, once it is built. Node.js builds it while this is null. */
  declare _header: string | null
  /** The client waits for `100 Continue`. If it is not sent, the body may or may not come, so the connection must end. */
  isAwaited = false

  override writeContinue(callback?: () => void): void {
    this.isAwaited = false
    super.writeContinue(callback)
  }

  /** Reports whether the connection stays open after this response. */
  staysOpen(): boolean {
    return this.shouldKeepAlive && !this.isAwaited && !this.hasHeader('connection')
  }

  /** Sets the head for a connection that stays open. @throws TypeError for a name or a value that no field may have */
  keepHead({ status, headers: fields, requestId }: WorldResponse, keepAliveSeconds: number): void {
    const known = heads.get(fields)
    const kept = known?.status === status ? known.text : checkedHead(status, fields)
    const id = requestId === undefined ? '' : `request-id: ${requestId}\r\n`
    this.statusCode = status
    this._header = `${kept}${id}Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`
  }
}

/** Cached heads by their fields. Only frozen fields are cached: they cannot have changed since. */
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
