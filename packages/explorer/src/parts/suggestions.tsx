/** The first results of a search, below the search box while typing: the listbox of its combobox. */
import type { Entity } from '@worldwright/client'
import { useEffect, useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { counted, words } from '../words/words.ts'
import { discover } from '../world/discover.ts'
import { createMemory } from '../world/memory.ts'
import { typeIn } from '../world/world-profile.ts'
import { ShortText } from './text.tsx'
import { TypeMark } from './type-mark.tsx'
import { useRemote } from './use-remote.ts'
import { useOpenWorld } from './world-context.ts'

/** Maximum suggestions: all are visible without scrolling, even above a phone's keyboard. */
const MOST = 6

const kept = createMemory<readonly Entity[]>(100)

/** The suggestions for a text, best first. */
export type Suggested = Readonly<ReturnType<typeof useSuggestions>>

/**
 * Asks the world for the first results for `text`. Suggestions stay until the next answer has arrived; if it fails there are
 * no suggestions, and the search itself shows why.
 */
export function useSuggestions(text: string) {
  const { world } = useOpenWorld()
  const [active, setActive] = useState(-1)
  const key = text.trim() === '' ? undefined : `${world.origin} ${text}`
  const { value, failure } = useRemote(
    key,
    async (signal) => {
      const { entities } = await discover(world, { text, limit: MOST }, signal)
      // An entity without a recognised id leads nowhere; a world may return more than was requested.
      return entities.filter(({ type, id }) => type !== '' && id !== '').slice(0, MOST)
    },
    { keep: true, memory: kept },
  )

  useEffect(() => setActive(-1), [text])

  const found = key === undefined || failure !== undefined ? [] : (value ?? [])
  return {
    found,
    /** Index of the active suggestion, −1 if none is. */
    active,
    isOpen: found.length > 0,
    /** Moves to the next suggestion (1) or the previous one (−1); beyond the ends none is active. */
    step: (by: 1 | -1) => setActive(((active + 1 + by + found.length + 1) % (found.length + 1)) - 1),
  }
}

/** Returns the attributes that describe the suggestions to screen readers, for an input that takes no other list. */
export function comboboxOf({ isOpen, active }: Suggested) {
  return {
    role: 'combobox',
    list: undefined,
    'aria-autocomplete': 'list',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? 'suggestions' : undefined,
    'aria-activedescendant': isOpen && active >= 0 ? idOf(active) : undefined,
  } as const
}

function idOf(index: number): string {
  return `suggestion-${index}`
}

/** The list; nothing if there are no suggestions. Screen readers announce their number. */
export function Suggestions(props: Suggested & { onChoose: (index: number) => void }) {
  const { found, active, isOpen, onChoose } = props
  const { profile } = useOpenWorld()
  const { search } = words.value
  return (
    <>
      <span role="status" class="hidden">
        {isOpen && search.shown(counted(found.length))}
      </span>
      {isOpen && (
        <div id="suggestions" class="suggestions" role="listbox" aria-label={search.label}>
          {found.map((entity, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys are the box's.
            <div
              key={`${entity.type} ${entity.id}`}
              id={idOf(index)}
              role="option"
              aria-selected={index === active}
              // A press would take the focus from the box, which closes the list.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(index)}
            >
              <ShortText text={nameOf(entity)} most={80} />
              <TypeMark type={typeIn(profile, entity.type)} />
            </div>
          ))}
        </div>
      )}
    </>
  )
}
