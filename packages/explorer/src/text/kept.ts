/** Texts that the browser keeps for each world. */
import { signal } from '@preact/signals'
import { attempt } from './attempt.ts'

/** Creates a keeper of one text per origin, in `area()` under `name`. A view that reads a text is rerendered on changes. */
export function createKept(name: string, area: () => typeof localStorage) {
  /** Texts that the browser refused to store, which last until the page is closed. */
  const refused = signal<ReadonlyMap<string, string>>(new Map())
  const keyOf = (origin: string) => `worldwright.${name}.${origin}`
  return {
    /** Returns the text for an origin, or undefined if there is none. */
    of: (origin: string): string | undefined =>
      refused.value.get(origin) ?? attempt(() => area().getItem(keyOf(origin))) ?? undefined,
    /** Stores a text, or removes it if `text` is undefined. Returns false if the browser refuses to store it. */
    set(origin: string, text: string | undefined): boolean {
      const isStored = attempt(() => {
        if (text === undefined) area().removeItem(keyOf(origin))
        else area().setItem(keyOf(origin), text)
        return true
      })
      const others = [...refused.peek()].filter(([one]) => one !== origin)
      refused.value = new Map(isStored || text === undefined ? others : [...others, [origin, text]])
      return isStored === true
    },
  }
}
