/** Settings of the user, stored in the browser: language, colour scheme, and recently opened worlds. */
import { computed, effect, signal } from '@preact/signals'
import { attempt, jsonFrom } from '../text/attempt.ts'

/** Languages that the page supports, each with its native name. */
export const LANGUAGES = { ar: 'العربية', de: 'Deutsch', en: 'English', es: 'Español' } as const

/** Tag of a language that the page supports. */
export type Language = keyof typeof LANGUAGES

/** Colour scheme. `auto` follows the system. */
export type Scheme = 'auto' | 'light' | 'dark'

/** A world that was opened recently. */
export interface RecentWorld {
  readonly origin: string
  readonly name: string
}

const PREFIX = 'worldwright.'
const MOST_RECENT = 8

/** The chosen language. With `auto`, the language follows the browser. */
export const chosenLanguage = signal(keptLanguage())

/** The chosen language or, for `auto`, the first of the browser's languages that the page supports, or else English. */
export const wantedLanguage = computed<Language>(() => {
  if (chosenLanguage.value !== 'auto') return chosenLanguage.value
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
})

/** The language in use. It changes to the wanted language once the strings of that language are loaded. */
export const language = signal<Language>('en')

/** Locale for numbers and dates: the user's regional variant of the language in use. */
export const locale = computed(() => {
  const own = navigator.languages.find((tag) => tag.split('-')[0] === language.value)
  return own ?? (language.value === 'en' ? 'en-GB' : language.value)
})

/** The chosen colour scheme. `auto` follows the system. */
export const scheme = signal(keptScheme())

/** Recently opened worlds, most recent first. */
export const recentWorlds = signal<readonly RecentWorld[]>(keptRecent())

/** Applies the settings to the document, and stores them whenever they change. */
export function startSettings(): void {
  effect(() => {
    document.documentElement.lang = language.value
    document.documentElement.dir = language.value === 'ar' ? 'rtl' : 'ltr'
  })
  effect(() => keep('language', chosenLanguage.value))
  effect(() => {
    if (scheme.value === 'auto') delete document.documentElement.dataset['scheme']
    else document.documentElement.dataset['scheme'] = scheme.value
    keep('scheme', scheme.value)
  })
  // Follow changes made to the settings in another tab.
  window.addEventListener('storage', () => {
    chosenLanguage.value = keptLanguage()
    scheme.value = keptScheme()
    recentWorlds.value = keptRecent()
  })
}

/** Records that a world was opened, as the most recent one. */
export function noteWorld(world: RecentWorld): void {
  const others = recentWorlds.peek().filter(({ origin }) => origin !== world.origin)
  keepRecent([world, ...others].slice(0, MOST_RECENT))
}

/** Removes a world from the recently opened worlds. */
export function forgetWorld(origin: string): void {
  keepRecent(recentWorlds.peek().filter((world) => world.origin !== origin))
}

function keepRecent(worlds: readonly RecentWorld[]): void {
  recentWorlds.value = worlds
  keep('recent', JSON.stringify(worlds))
}

function keptLanguage(): Language | 'auto' {
  const text = kept('language')
  return isLanguage(text) ? text : 'auto'
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(LANGUAGES, tag)
}

function keptScheme(): Scheme {
  const text = kept('scheme')
  return text === 'light' || text === 'dark' ? text : 'auto'
}

/** Reads a setting. Returns undefined if it is not set or the browser's storage does not work. */
function kept(name: string): string | undefined {
  return attempt(() => localStorage.getItem(PREFIX + name)) ?? undefined
}

function keep(name: string, value: string): void {
  attempt(() => localStorage.setItem(PREFIX + name, value))
}

function keptRecent(): RecentWorld[] {
  const list = jsonFrom(kept('recent'))
  return Array.isArray(list) ? list.filter(isRecent).slice(0, MOST_RECENT) : []
}

function isRecent(entry: unknown): entry is RecentWorld {
  const { origin, name } = (entry ?? {}) as Partial<Record<keyof RecentWorld, unknown>>
  return typeof origin === 'string' && typeof name === 'string' && URL.parse(origin)?.origin === origin
}
