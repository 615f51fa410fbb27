/** Formatting of locations on a body. */

import { type Place, placeText as placeTextIn } from '@worldwright/extensions/shown'
import { locale } from '../navigation/settings.ts'
import { words } from '../words/words.ts'

/** Formats a location in the current language, such as `23.02° S, 67.76° W`. */
export function placeText(place: Place): string {
  return placeTextIn(place, locale.value, words.value.entity)
}
