/** Search box of a world. It is the same element on all pages, so that it keeps focus. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { navigate, route } from '../navigation/navigation.ts'
import { words } from '../words/words.ts'
import { IconButton } from './icon-button.tsx'
import { CrossIcon, SearchIcon } from './icons.tsx'
import { comboboxOf, Suggestions, useSuggestions } from './suggestions.tsx'

/** Debounce delay for searches while the user is typing, in milliseconds. */
const DEBOUNCE_MS = 40
/** Minimum pause since the previous key for a search to start without delay, in milliseconds. */
const PAUSE_MS = 80

/**
 * Search box. On the search page, typing changes the search in the address and thus the results. On any other page, typing
 * suggests the first results below the box, and Enter opens the search page.
 */
export function SearchBox({ origin }: { origin: string }) {
  const { text, type, ask, isAsked, wanted, dismiss } = useSearchText(origin)
  const input = useRef<HTMLInputElement>(null)
  const suggestions = useSuggestions(wanted)
  const { search } = words.value
  const { found, active, isOpen } = suggestions

  function choose(index: number) {
    const entity = found[index]
    if (entity === undefined) return
    type('')
    dismiss()
    navigate({ page: 'entity', origin, type: entity.type, id: entity.id })
    input.current?.blur()
  }

  function clear() {
    type('')
    input.current?.focus()
  }

  function key(event: KeyboardEvent) {
    if (event.isComposing) return
    const first = document.querySelector<HTMLElement>('[data-result] a[data-main]')
    const isCurrent = route.peek().page === 'search' && isAsked()
    if (event.key === 'Escape') {
      if (isOpen) dismiss()
      else if (text === '') input.current?.blur()
      else type('')
    } else if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      suggestions.step(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && isOpen && active >= 0) choose(active)
    else if ((event.key === 'ArrowDown' || event.key === 'Enter') && first !== null && isCurrent) {
      first.focus()
    } else if (event.key === 'Enter') ask(text)
    else return
    event.preventDefault()
  }

  return (
    <search class="search-box">
      <SearchIcon />
      <input
        ref={input}
        id="search"
        type="search"
        {...comboboxOf(suggestions)}
        dir="auto"
        value={text}
        aria-label={search.label}
        placeholder={search.placeholder}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        enterkeyhint="search"
        maxLength={512}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={key}
        onBlur={dismiss}
      />
      {text === '' ? (
        <kbd>/</kbd>
      ) : (
        <IconButton label={search.clear} onClick={clear}>
          <CrossIcon />
        </IconButton>
      )}
      <Suggestions {...suggestions} onChoose={choose} />
    </search>
  )
}

/** State of the search box. `wanted` is the text to suggest results for. It is empty on the search page. */
function useSearchText(origin: string) {
  const at = route.value
  const asked = at.page === 'search' ? at.text : ''
  const [text, setText] = useState(asked)
  const [wanted, setWanted] = useState('')
  const typing = useRef<{ timer?: ReturnType<typeof setTimeout> | undefined; last: number; asked: string }>({
    last: 0,
    asked,
  })

  // After navigation to a different page, suggestions for earlier text are obsolete.
  useEffect(() => setWanted(''), [at])

  // The search in the address may change without typing.
  useEffect(() => {
    if (asked === typing.current.asked) return
    clearTimeout(typing.current.timer)
    typing.current.asked = asked
    setText(asked)
  }, [asked])

  useEffect(() => () => clearTimeout(typing.current.timer), [])

  /** Closes the suggestions and cancels a pending request for them. On the search page, a pending search continues. */
  function dismiss() {
    if (route.peek().page !== 'search') clearTimeout(typing.current.timer)
    setWanted('')
  }

  function ask(asked: string) {
    clearTimeout(typing.current.timer)
    setWanted('')
    typing.current.asked = asked
    const now = route.peek()
    const isHere = now.page === 'search'
    if (!isHere && asked === '') return
    navigate(
      { page: 'search', origin, text: asked, types: isHere ? now.types : [] },
      isHere ? 'replace' : 'go',
    )
  }

  function follow(typed: string) {
    if (route.peek().page === 'search') ask(typed)
    else setWanted(typed)
  }

  function type(typed: string) {
    setText(typed)
    const { timer, last } = typing.current
    clearTimeout(timer)
    const now = performance.now()
    typing.current.last = now
    if (now - last > PAUSE_MS) follow(typed)
    else typing.current.timer = setTimeout(() => follow(typed), DEBOUNCE_MS)
  }

  return { text, type, ask, isAsked: () => typing.current.asked === text, wanted, dismiss }
}
