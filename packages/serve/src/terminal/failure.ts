/** Reports anything thrown, and chooses the exit code. */
import { isWorldError, type WorldError } from '@worldwright/client'
import { CommanderError } from 'commander'
import { failureWords } from './failure-words.ts'
import type { Io } from './io.ts'
import { say, styled } from './output.ts'
import { jsonText, visible } from './visible.ts'

/** Exit code of a call that failed. */
export const FAILED = 1

/** Exit code of a command with wrong usage. */
const WRONG_USAGE = 2

/** Faults whose message is written for the user of the command, by name: some come from threads. */
const SPEAKING = new Set([
  'DefinitionFault',
  'ImportRefused',
  'ImportStopped',
  'Interrupted',
  'ListenFault',
  'OutputFault',
  'SourceFault',
  'StorageFault',
  'StoreUrlFault',
  'UsageFault',
  'WorldIdFault',
])

/**
 * Reports on stderr what went wrong, and returns the exit code: 1 for a failed call, 2 for wrong usage. With `json`, the last
 * line is the error object of Level 1 (errors 2): status, code, details, url.
 */
export function reportFailure(error: unknown, io: Io, json: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
  if (isWorldError(error)) return reportWorldError(error, io, json)
  const fault = error instanceof Error ? error : new Error(String(error))
  if (io.signal.aborted && fault.name === 'AbortError') sayError(io, 'Interrupted.')
  else if (SPEAKING.has(fault.name) || isSystemError(fault)) {
    for (const line of fault.message.split('\n')) sayError(io, line)
  } else sayError(io, `${fault.message} This is a bug of worldwright.`)
  return fault.name === 'UsageFault' || fault.name === 'StoreUrlFault' ? WRONG_USAGE : FAILED
}

function reportWorldError(error: WorldError, io: Io, json: boolean): number {
  const { status, code, details, url, requestId } = error
  const { what, wayOut } = failureWords(error)
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

function isSystemError(error: Error): boolean {
  return 'syscall' in error
}
