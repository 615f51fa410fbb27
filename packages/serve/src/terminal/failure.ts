/** Reports errors on stderr and determines the exit code. */
import { isWorldError, type WorldError } from '@worldwright/client'
import { CommanderError } from 'commander'
import { failureWords, type Typed } from './failure-words.ts'
import type { Io } from './io.ts'
import { say, styled } from './output.ts'
import { jsonText, visible } from './visible.ts'

/** Exit code of a call that failed. */
export const FAILED = 1

/** Exit code of a command with wrong usage. */
const WRONG_USAGE = 2

/** Names of errors whose message is meant for the user. Errors from threads have lost their class. */
const SPEAKING = new Set([
  'DefinitionFault',
  'ImportRefused',
  'ImportStopped',
  'Interrupted',
  'ListenFault',
  'OutputFault',
  'SourceFault',
  'StoreFault',
  'StoreUrlFault',
  'UsageFault',
  'WorldIdFault',
])

/**
 * Reports an error on stderr and returns the exit code: 1 for a failure, 2 for wrong usage. With `json`, the last line is
 * the error object of Level 1 (errors 2): status, code, details, url. Commands in advice repeat the arguments `typed`.
 */
export function reportFailure(error: unknown, io: Io, json: boolean, typed?: Typed): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
  if (isWorldError(error)) return reportWorldError(error, io, json, typed)
  const fault = error instanceof Error ? error : new Error(String(error))
  if (io.signal.aborted && fault.name === 'AbortError') sayError(io, 'Interrupted.')
  else if (SPEAKING.has(fault.name) || 'syscall' in fault) {
    for (const line of fault.message.split('\n')) sayError(io, line)
  } else sayError(io, `${fault.message} This is a bug of worldwright.`)
  return fault.name === 'UsageFault' || fault.name === 'StoreUrlFault' ? WRONG_USAGE : FAILED
}

function reportWorldError(error: WorldError, io: Io, json: boolean, typed: Typed | undefined): number {
  const { status, code, details, url, requestId } = error
  const { what, wayOut } = failureWords(error, typed)
  sayError(io, `${what} (${status === 0 ? code : `${code}, status ${status}`})`)
  if (wayOut !== undefined) say(io, `  ${visible(wayOut)}`)
  if (url !== '') say(io, `  ${visible(url)}`)
  if (requestId !== undefined) say(io, `  Request ${visible(requestId)}`)
  if (json) say(io, jsonText({ status, code, details, url }))
  return code === 'invalid_argument' ? WRONG_USAGE : FAILED
}

function sayError(io: Io, message: string): void {
  const text = visible(message)
  say(io, io.stderr.report ? text : `${styled(io.stderr, 'red', 'error:')} ${text}`, 'error')
}
