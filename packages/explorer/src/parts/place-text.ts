/** Formatting of locations on a body. */
import type { Place } from '../data/values.ts'
import { digits, words } from '../words/words.ts'

/** Formats a location in the current language, such as `23.02° S, 67.76° W`. */
export function placeText({ latitude, longitude }: Place): string {
  const { north, south, east, west } = words.value.entity
  return `${degrees(latitude)} ${latitude < 0 ? south : north}, ${degrees(longitude)} ${longitude < 0 ? west : east}`
}

function degrees(value: number): string {
  return `${digits(Math.abs(Math.round(value * 1000) / 1000))}°`
}
