/** A box for a value that is not among the most frequent. */
import type { JsonObject, World } from '@worldwright/client'
import { useId, useState } from 'preact/hooks'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Askable, propertyOf } from '../question/askable.ts'
import { textOfValue } from '../question/filters.ts'
import { ask } from '../question/question.ts'
import { words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'

/** Values that are suggested, and characters from which on. */
const MOST = 12
const FEWEST_TYPED = 2

const found = createMemory<readonly string[]>(100)

/** Suggests what of the type begins so; a value that is typed or chosen goes to `onValue`. */
export function ValueSearch(props: { type: string; askable: Askable; onValue: (value: string) => void }) {
  const { type, askable, onValue } = props
  const { world } = useOpenWorld()
  const [typed, setTyped] = useState('')
  const id = useId()
  const key =
    typed.length < FEWEST_TYPED ? undefined : JSON.stringify([world.origin, type, askable.key, typed])
  const { value = [] } = useRemote(key, (signal) => valuesLike(world, type, askable, typed, signal), {
    keep: true,
    memory: found,
  })

  function submit(text: string) {
    const value = text.trim()
    if (value === '') return
    setTyped('')
    onValue(value)
  }

  return (
    <>
      <input
        class="field small"
        type="text"
        dir="auto"
        maxLength={128}
        list={id}
        aria-label={words.value.ask.otherValue(askable.field.label)}
        placeholder={words.value.ask.other}
        value={typed}
        onInput={(event) => {
          const text = event.currentTarget.value
          // Choosing a suggestion is the only way to come from a few letters to one of them at once.
          if (value.includes(text) && text.length > typed.length + 1) submit(text)
          else setTyped(text)
        }}
        onKeyDown={(event) => event.key === 'Enter' && submit(event.currentTarget.value)}
      />
      <datalist id={id}>
        {value.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}

/** The most frequent values that begin with a text, as it is spelt. */
async function valuesLike(
  world: Pick<World, 'action'>,
  type: string,
  { key }: Askable,
  typed: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const property = propertyOf(key)
  const beginning = typed.replace(/[%_]/g, '')
  const where: JsonObject = { op: 'like', args: [{ property }, `${beginning}%`] }
  const facets = [{ property, kind: 'text', limit: MOST * 2 }]
  const answer = await ask(world, { types: [type], where, facets, limit: 0 }, { signal })
  // Of an entity with several values the others come along.
  return (answer.facets[0]?.buckets ?? [])
    .map(({ value }) => textOfValue(value))
    .filter((value) => value.startsWith(beginning))
    .slice(0, MOST)
}
