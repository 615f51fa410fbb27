/** A search box for values that are not among the most frequent. */
import type { JsonObject } from '@worldwright/client'
import { propertyOf, textOfValue } from '@worldwright/extensions/views'
import { useId, useState } from 'preact/hooks'
import { useAnswer } from '../parts/use-answer.ts'
import type { Askable } from '../question/askable.ts'
import type { Answer } from '../question/question.ts'
import { words } from '../words/words.ts'

/** Maximum number of suggestions, and minimum number of typed characters for any suggestion. */
const MOST = 12
const FEWEST_TYPED = 2

/** Suggests values that begin with the typed text. Calls `onValue` with the typed or chosen value. */
export function ValueSearch(props: { type: string; askable: Askable; onValue: (value: string) => void }) {
  const { type, askable, onValue } = props
  const [typed, setTyped] = useState('')
  const id = useId()
  const isLong = typed.length >= FEWEST_TYPED
  const read = useAnswer(isLong ? valuesQuestion(type, askable.key, typed) : undefined, true)
  const suggested = read.value === undefined ? [] : valuesIn(read.value, typed)

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
          // Typing adds one character at a time, so a larger step to a suggestion means that the user chose it.
          if (suggested.includes(text) && text.length > typed.length + 1) submit(text)
          else setTyped(text)
        }}
        onKeyDown={(event) => event.key === 'Enter' && submit(event.currentTarget.value)}
      />
      <datalist id={id}>
        {suggested.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  )
}

/** Wildcard characters of a `like` pattern. */
const WILD = /[%_]/g

function valuesQuestion(type: string, key: string, typed: string): JsonObject {
  const property = propertyOf(key)
  const where = { op: 'like', args: [{ property }, `${typed.replace(WILD, '')}%`] }
  return { types: [type], where, facets: [{ property, kind: 'text', limit: MOST * 2 }], limit: 0 }
}

/** Returns the values in the answer that begin with the typed text, excluding other values of the same entities. */
function valuesIn({ facets: [facet] }: Answer, typed: string): string[] {
  const values = (facet?.buckets ?? []).map(({ value }) => textOfValue(value))
  return values.filter((value) => value.startsWith(typed.replace(WILD, ''))).slice(0, MOST)
}
