/** The user's settings, stored in the browser: language, colour scheme, and recently opened worlds. */
import { computed, effect, signal } from '@preact/signals'
import { attempt, jsonFrom } from '../text/attempt.ts'

/** The languages the page speaks, each in its own words. */
export const LANGUAGES = { ar: 'العربية', de: 'Deutsch', en: 'English', es: 'Español' } as const

/** The tag of a language the page speaks. */
export type Language = keyof typeof LANGUAGES

/** A colour scheme, or the system's. */
export type Scheme = 'auto' | 'light' | 'dark'

/** A world that was opened recently. */
export interface RecentWorld {
  readonly origin: string
  readonly name: string
}

const PREFIX = 'worldwright.'
const MOST_RECENT = 8

/** The chosen language; `auto` for the browser's. */
export const chosenLanguage = signal(keptLanguage())

/** The language that was chosen, or the first of the browser's that the page speaks. */
export const wantedLanguage = computed<Language>(() => {
  if (chosenLanguage.value !== 'auto') return chosenLanguage.value
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
})

/** The language in use: the wanted one as soon as its words are there. */
export const language = signal<Language>('en')

/** Locale of numbers and dates: the user's own variant of the language in use. */
export const locale = computed(() => {
  const own = navigator.languages.find((tag) => tag.split('-')[0] === language.value)
  return own ?? (language.value === 'en' ? 'en-GB' : language.value)
})

/** The chosen colour scheme; `auto` follows the system. */
export const scheme = signal(keptScheme())

/** The recently opened worlds, latest first. */
export const recentWorlds = signal<readonly RecentWorld[]>(keptRecent())

/** Applies the settings to the document and stores them. */
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
  // Another tab changed the settings: this one follows.
  window.addEventListener('storage', () => {
    chosenLanguage.value = keptLanguage()
    scheme.value = keptScheme()
    recentWorlds.value = keptRecent()
  })
}

/** Records that a world was opened. */
export function noteWorld(world: RecentWorld): void {
  const others = recentWorlds.peek().filter(({ origin }) => origin !== world.origin)
  keepRecent([world, ...others].slice(0, MOST_RECENT))
}

/** Removes a world from the list of known ones. */
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

/** Reads from storage, which can be full, forbidden or broken: then nothing is kept, and the page works. */
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
