/** Displays the events of a load: its progress, warnings and rejected records. */
import type { ColumnFault, Rejection } from '@worldwright/publish'
import { createWarningTally, type WarningTally } from '../terminal/import-report.ts'
import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import { createProgress, type ProgressDisplay } from '../terminal/progress.ts'
import type { RejectsFile } from '../terminal/rejects-file.ts'
import type { OpenedEvent } from './import-task.ts'
import type { TaskEvent } from './thread.ts'

/** Advice for a faulty table that the definition names. */
const FIX_TABLE = 'Say in the definition which columns are meant, or mend the table.'

/** Options for displaying the events of a load. */
export interface FollowOptions {
  /** Opens the rejects file. Called only if there is something to load. */
  readonly openRejects: () => RejectsFile
  readonly onOpened?: (event: OpenedEvent) => void
  readonly onReject?: (rejection: Rejection) => void
  /** Returns advice for a table that has no ids and is not named by a definition. */
  readonly idAdvice?: (source: string) => string
  /** Message to print when the signal ends the load. */
  readonly stopping?: string
}

/** Result of a load, with its warnings and rejects file. */
export interface Followed<Result> {
  readonly result: Result
  readonly warnings: WarningTally
  /** Path of the rejects file; undefined if there is none. */
  readonly rejects: string | undefined
}

/** Displays a load until it ends. @throws the error of the load, with advice if columns are missing */
export async function followLoad<Result>(
  events: AsyncGenerator<TaskEvent, Result>,
  io: Io,
  options: FollowOptions,
): Promise<Followed<Result>> {
  const { idAdvice = () => FIX_TABLE, stopping } = options
  const display = new LoadDisplay(io, options)
  const stop = () => {
    display.end()
    if (stopping !== undefined) say(io, stopping)
  }
  io.signal.addEventListener('abort', stop)
  try {
    let next = await events.next()
    for (; !next.done; next = await events.next()) display.show(next.value)
    display.rejects?.loaded()
    return { result: next.value, warnings: display.warnings, rejects: display.rejects?.path }
  } catch (error) {
    if (!isColumnFault(error)) throw error
    const advice = display.defined.has(error.source) ? FIX_TABLE : idAdvice(error.source)
    throw Object.assign(new Error(`${error.message} ${advice}`, { cause: error }), { name: 'SourceFault' })
  } finally {
    // End the load if the display fails.
    await events.return(undefined as Result)
    io.signal.removeEventListener('abort', stop)
    display.end()
    display.rejects?.close()
  }
}

/** Displays the events of a load, and collects its warnings and rejected records. */
class LoadDisplay {
  warnings = createWarningTally()
  /** Names of the sources in the definition. */
  readonly defined = new Set<string>()
  rejects: RejectsFile | undefined
  readonly #io: Io
  readonly #options: FollowOptions
  #progress: ProgressDisplay | undefined

  constructor(io: Io, options: FollowOptions) {
    this.#io = io
    this.#options = options
  }

  show(event: TaskEvent): void {
    const { openRejects, onOpened, onReject } = this.#options
    switch (event.event) {
      case 'opened':
        onOpened?.(event)
        break
      case 'started':
        // A load that starts again reports everything again, since a type was not complete.
        if (this.#progress) this.#io.onFilled?.([])
        this.#progress?.end()
        this.warnings = createWarningTally()
        this.rejects = openRejects()
        this.#progress = createProgress(this.#io)
        for (const { name, isDefined } of event.sources) if (isDefined) this.defined.add(name)
        break
      case 'progress':
        this.#progress?.show(event)
        this.#io.onProgress?.(event)
        break
      case 'filled':
        this.#io.onFilled?.(event.types)
        break
      case 'warned':
        event.warnings.forEach(this.warnings.note)
        break
      case 'rejected':
        for (const rejection of event.rejections) {
          this.rejects?.note(rejection)
          onReject?.(rejection)
        }
    }
  }

  end(): void {
    this.#progress?.end()
  }
}

/** Checks the members, because an error from a thread has lost its class. */
function isColumnFault(error: unknown): error is ColumnFault {
  return error instanceof Error && error.name === 'SourceFault' && 'missing' in error
}
