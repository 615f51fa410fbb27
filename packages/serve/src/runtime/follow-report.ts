import { isWorldError } from '@worldwright/client'
import type { EntityKey } from '@worldwright/core/store'
import type { FollowEvent } from '@worldwright/extensions/replica'
import { failureWords } from '../terminal/failure-words.ts'
import type { Io } from '../terminal/io.ts'
import { count, say, styled } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'

/** Minimum interval between progress lines, in milliseconds. */
const LINE_MS = 10_000

/** Reports on stderr how a replica follows its upstream. Each state change is reported once. */
export class FollowReport {
  readonly #origin: string
  readonly #io: Io
  #state: 'current' | 'copying' | 'lost' | undefined
  #saidAt = performance.now()

  /** @param origin origin of the upstream */
  constructor(origin: string, io: Io) {
    this.#origin = origin
    this.#io = io
  }

  /** Reports an event if it changes the state. */
  note(event: FollowEvent): void {
    if (event.event === 'behind') this.#noteProgress(event.changes)
    else if (event.event === 'startedOver') {
      this.#state = 'copying'
      say(
        this.#io,
        `${this.#origin} was restored, or this replica was away for too long. Copying all of it again.`,
      )
    } else if (event.event === 'damaged') this.#noteDamaged(event.entities)
    else if (event.event === 'lost') this.#noteLost(event.error)
    else if (event.event === 'current') this.#noteCurrent(event.changes)
  }

  #noteProgress(changes: number): void {
    const now = performance.now()
    if (now - this.#saidAt < LINE_MS) return
    this.#saidAt = now
    this.#state = 'copying'
    say(this.#io, `${count(changes, 'change')} so far.`)
  }

  #noteDamaged(entities: readonly EntityKey[]): void {
    for (const { type, id } of entities) {
      const said = `${visible(type)} ${visible(id)} is damaged at ${this.#origin}: this replica is made without it.`
      say(this.#io, styled(this.#io.stderr, 'yellow', said), 'warn')
    }
  }

  #noteLost(error: unknown): void {
    if (this.#state === 'lost') return
    this.#state = 'lost'
    const why = isWorldError(error) ? failureWords(error).what : String(error)
    const said = `${this.#origin} cannot be followed; serving what is here, and trying again. ${visible(why)}`
    say(this.#io, styled(this.#io.stderr, 'yellow', said), 'warn')
  }

  #noteCurrent(changes: number): void {
    if (this.#state === 'current') return
    this.#state = 'current'
    say(this.#io, `Caught up with ${this.#origin} after ${count(changes, 'change')}.`)
  }
}
