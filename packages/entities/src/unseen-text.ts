/** `@worldwright/entities/unseen-text`: finds characters with which a text can hide what it says. */

/**
 * Matches characters that are invisible or reorder a line, where an agent or a terminal reads them: formats, variation
 * selectors, tags and controls beyond ASCII. Joiners stay in emoji and between letters other than Latin, Greek, Cyrillic
 * and East Asian ones, as Persian and Indic scripts need them; so does U+FE0F in emoji. Flags made of tags do not stay.
 */
export const UNSEEN =
  /[\p{Cf}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u007f-\u009f\u2028\u2029](?<!\p{Extended_Pictographic}\ufe0f|\ufe0f(?=\u20e3)|[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?\u200d(?=\p{Extended_Pictographic})|[[\p{L}\p{M}]--[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]][\u200c\u200d](?=[\p{L}\p{M}]))/gv
