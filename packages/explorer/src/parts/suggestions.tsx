/** What a search would find first, below the search box while one types: the listbox of its combobox. */
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

/** Entities suggested at once: all are seen without scrolling, also above a phone's keyboard. */
const MOST = 6

const kept = createMemory<readonly Entity[]>(100)

/** The suggestions for a text, best first. */
export type Suggested = Readonly<ReturnType<typeof useSuggestions>>

/**
 * Asks the world for the first that it finds for `text`. What was suggested stays until the next answer is there; where
 * none comes there are no suggestions, and the search itself says why.
 */
export function useSuggestions(text: string) {
  const { world } = useOpenWorld()
  const [active, setActive] = useState(-1)
  const key = text.trim() === '' ? undefined : `${world.origin} ${text}`
  const { value, failure } = useRemote(
    key,
    async (signal) => {
      const { entities } = await discover(world, { text, limit: MOST }, signal)
      // What has no recognised id leads nowhere; a world may give more than it was asked for.
      return entities.filter(({ type, id }) => type !== '' && id !== '').slice(0, MOST)
    },
    { keep: true, memory: kept },
  )

  useEffect(() => setActive(-1), [text])

  const found = key === undefined || failure !== undefined ? [] : (value ?? [])
  return {
    found,
    /** The index of the chosen one, −1 while none is. */
    active,
    isOpen: found.length > 0,
    /** Chooses the next one (1) or the one before (−1); beyond the ends none is chosen. */
    step: (by: 1 | -1) => setActive(((active + 1 + by + found.length + 1) % (found.length + 1)) - 1),
  }
}

/** What the box says of its suggestions to those who hear it, as attributes of an input that takes no other list. */
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

/** The list; nothing while there are no suggestions. Screen readers hear how many there are. */
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
