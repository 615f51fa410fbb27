/** Search suggestions, the listbox below the search box. */
import type { Entity } from '@worldwright/client'
import { DISCOVER_ACTION } from '@worldwright/client/protocol'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { counted, words } from '../words/words.ts'
import { discover } from '../world/discover.ts'
import { createMemory } from '../world/memory.ts'
import { takes, typeIn } from '../world/world-profile.ts'
import { ShortText } from './text.tsx'
import { TypeMark } from './type-mark.tsx'
import { useRemote } from './use-remote.ts'
import { useOpenWorld } from './world-context.ts'

/** Maximum number of suggestions. This many fit above the keyboard of a phone without scrolling. */
const MOST = 6

const kept = createMemory<readonly Entity[]>(100)

/** State of the suggestions for the typed text. The best match is first. */
export type Suggested = Readonly<ReturnType<typeof useSuggestions>>

/**
 * Requests the first results for `text`, among entities of `types` if there are any. Earlier suggestions stay until the
 * response arrives. If the request fails, there are no suggestions, and only the search page shows the error.
 */
export function useSuggestions(text: string, types: readonly string[] = []) {
  const { world, profile } = useOpenWorld()
  // Holds for this text only: an effect that forgets it would run after a key that follows at once.
  const [chosen, setChosen] = useState({ text, index: -1 })
  const active = chosen.text === text ? chosen.index : -1
  const key = text.trim() === '' ? undefined : `${world.origin} ${types} ${text}`
  const open = takes(profile, DISCOVER_ACTION, 'unfinished') && { unfinished: true }
  const { value, failure } = useRemote(
    key,
    async (signal) => {
      const { entities } = await discover(
        world,
        { text, ...(types.length > 0 && { types: [...types] }), ...open, limit: MOST },
        signal,
      )
      // An entity without a recognised type or id has no page, and a world may return more entities than requested.
      return entities.filter(({ type, id }) => type !== '' && id !== '').slice(0, MOST)
    },
    { keep: true, memory: kept },
  )

  const found = key === undefined || failure !== undefined ? [] : (value ?? [])
  return {
    found,
    /** Index of the active suggestion, or −1 if no suggestion is active. */
    active,
    isOpen: found.length > 0,
    /** Moves to the next (1) or previous (−1) suggestion. A step beyond either end leaves no suggestion active. */
    step: (by: 1 | -1) =>
      setChosen({ text, index: ((active + 1 + by + found.length + 1) % (found.length + 1)) - 1 }),
  }
}

/** Returns the ARIA attributes of the search input that connect it with its suggestions. */
export function comboboxOf({ isOpen, active }: Pick<Suggested, 'isOpen' | 'active'>) {
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

/** List of suggestions, rendered only if there are any. */
export function Suggestions({ found, ...rest }: Suggested & { onChoose: (index: number) => void }) {
  const { profile } = useOpenWorld()
  const options = found.map((entity) => {
    return { label: nameOf(entity), kind: <TypeMark type={typeIn(profile, entity.type)} /> }
  })
  return <Options {...rest} options={options} label={words.value.search.label} />
}

/** Listbox of a combobox, rendered only if it has options. Screen readers announce how many there are. */
export function Options(props: {
  options: readonly { readonly label: string; readonly kind: ComponentChildren }[]
  active: number
  label: string
  onChoose: (index: number) => void
}) {
  const { options, active, label, onChoose } = props
  return (
    <>
      <span role="status" class="hidden">
        {options.length > 0 && words.value.search.shown(counted(options.length))}
      </span>
      {options.length > 0 && (
        <div id="suggestions" class="suggestions" role="listbox" aria-label={label}>
          {options.map(({ label, kind }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the box handles keys.
            <div
              key={index}
              id={idOf(index)}
              role="option"
              aria-selected={index === active}
              // Prevent a press from taking the focus from the box, which would close the list.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(index)}
            >
              <ShortText text={label} most={80} />
              {kind}
            </div>
          ))}
        </div>
      )}
    </>
  )
}
