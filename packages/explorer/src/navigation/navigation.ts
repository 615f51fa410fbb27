/** Navigation: the route as a signal, the browser's history behind it, and the scroll position of each page. */
import { computed, signal } from '@preact/signals'
import { hrefOf, type Route, routeFrom } from './route.ts'

const hash = signal(currentHash())

/** The page that the address bar names, as a signal. */
export const route = computed(() => routeFrom(hash.value))

/** Kind of the last navigation: the pages focus and scroll by it. */
export const move = signal<{ readonly kind: 'load' | 'go' | 'replace' | 'back'; readonly number: number }>({
  kind: 'load',
  number: 0,
})

const scrolled = new Map<string, number>()
let key = keyInHistory() ?? newKey()

/** Starts to follow the browser's history. */
export function startNavigation(): void {
  history.scrollRestoration = 'manual'
  history.replaceState({ ...Object(history.state), key }, '')
  window.addEventListener('popstate', () => {
    rememberScroll()
    const known = keyInHistory()
    key = known ?? newKey()
    // A click on a link also pops; its entry has no key yet.
    if (known === undefined) history.replaceState({ key }, '')
    arrive(known === undefined ? 'go' : 'back')
  })
}

/** Goes to a route: in a new history entry, or in place of the current one. */
export function navigate(to: Route, how: 'go' | 'replace' = 'go'): void {
  const href = hrefOf(to)
  if (how === 'go') {
    rememberScroll()
    key = newKey()
    history.pushState({ key }, '', href)
  } else history.replaceState({ key }, '', href)
  arrive(how)
}

/**
 * Changes the address of the current entry without rendering anything: a reload will show it. `note` stays with the
 * entry, for `entryNote` after a reload.
 */
export function renameEntry(to: Route, note?: unknown): void {
  history.replaceState({ key, note }, '', hrefOf(to))
}

/** Returns the note of this history entry; untrusted, since other versions of the page write there too. */
export function entryNote(): unknown {
  return Object(history.state).note
}

/** Returns the scroll position that this history entry had when it was left. */
export function scrollOfEntry(): number {
  return scrolled.get(key) ?? 0
}

/** Returns the key of this history entry, so that pages can keep more than their scroll position. */
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

/** Reads the whole address, since some browsers decode `location.hash`. */
function currentHash(): string {
  return location.href.split(/#(.*)/s)[1] ?? ''
}

function keyInHistory(): string | undefined {
  const state: unknown = history.state
  const known = typeof state === 'object' && state !== null ? (state as { key?: unknown }).key : undefined
  return typeof known === 'string' ? known : undefined
}

function newKey(): string {
  return Math.random().toString(36).slice(2)
}
