/** Navigation: the route as a signal backed by the browser history, and the scroll position of each history entry. */
import { computed, signal } from '@preact/signals'
import { hashOfView, hrefOf, type Route, routeFrom } from './route.ts'

const hash = signal(currentHash())

/** Signal with the route in the address bar. */
export const route = computed(() => routeFrom(hash.value))

/** The last navigation: its kind, which determines focus and scrolling, and its number. */
export const move = signal<{ readonly kind: 'load' | 'go' | 'replace' | 'back'; readonly number: number }>({
  kind: 'load',
  number: 0,
})

const scrolled = new Map<string, number>()
let key = keyInHistory() ?? newKey()

/** Starts following the browser history. */
export function startNavigation(): void {
  history.scrollRestoration = 'manual'
  history.replaceState({ ...Object(history.state), key }, '')
  if (hashOfView(location)) document.addEventListener('click', followLink)
  window.addEventListener('popstate', () => {
    rememberScroll()
    const known = keyInHistory()
    key = known ?? newKey()
    // Following a link also fires `popstate`, and the history entry of the link has no key yet.
    if (known === undefined) history.replaceState({ key }, '')
    arrive(known === undefined ? 'go' : 'back')
  })
}

/** Navigates to a route. Adds a history entry, or replaces the current one if `how` is `replace`. */
export function navigate(to: Route, how?: 'go' | 'replace'): void {
  navigateTo(hrefOf(to), how)
}

/** Follows a link to another address of the page without loading it again. A press that opens a window is left alone. */
function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest('a')
  const { button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event
  if (!link || button || ctrlKey || metaKey || shiftKey || altKey || defaultPrevented) return
  const isPage = link.pathname === '/' || hashOfView(link) !== undefined
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin || !isPage) return
  event.preventDefault()
  navigateTo(link.href)
}

function navigateTo(href: string, how: 'go' | 'replace' = 'go'): void {
  if (how === 'go') {
    rememberScroll()
    key = newKey()
    history.pushState({ key }, '', href)
  } else history.replaceState({ key }, '', href)
  arrive(how)
}

/**
 * Changes the address of the current history entry without rendering, so that a reload shows `to`. `note` is stored in the
 * entry, where `entryNote` finds it even after a reload.
 */
export function renameEntry(to: Route, note?: unknown): void {
  history.replaceState({ key, note }, '', hrefOf(to))
}

/** Returns the note of the current history entry. It is untrusted, since another version of the page may have written it. */
export function entryNote(): unknown {
  return Object(history.state).note
}

/** Returns the scroll position at which the user left the current history entry, or 0. */
export function scrollOfEntry(): number {
  return scrolled.get(key) ?? 0
}

/** Returns the key of the current history entry, under which pages can store state of their own. */
export function entryKey(): string {
  return key
}

function rememberScroll(): void {
  scrolled.set(key, window.scrollY)
}

function arrive(kind: 'go' | 'replace' | 'back'): void {
  hash.value = currentHash()
  move.value = { kind, number: move.value.number + 1 }
}

/** Reads the hash from the whole address, since some browsers decode `location.hash`. A view is at an address without one. */
function currentHash(): string {
  return location.href.split(/#(.*)/s)[1] ?? hashOfView(location) ?? ''
}

function keyInHistory(): string | undefined {
  const { key: known } = Object(history.state)
  return typeof known === 'string' ? known : undefined
}

function newKey(): string {
  return Math.random().toString(36).slice(2)
}
