import { useState } from 'react'

export interface Typed {
  text: string
  why: string | null
  onChange: (text: string) => void
  onBlur: () => void
}

/**
 * What stands in a text box over a value of the profile: the person's own spelling while they type, the value's else. What
 * is no value yet is told when they leave the box, and stays to be mended.
 * @param spell how the box would show what was typed; null where it is no value
 * @param take puts what was typed into the profile; why it could not, else null
 */
export function useTyped(shown: string, spell: (typed: string) => string | null, take: (typed: string) => string | null): Typed {
  const [typed, setTyped] = useState<{ text: string; why: string | null; over: string } | null>(null)
  const [isTold, setTold] = useState(false)
  // Where the profile has another value from elsewhere, what was typed over the old one is history.
  const current = typed && (typed.over === shown || spell(typed.text) === shown) ? typed : null
  return {
    text: current?.text ?? shown,
    why: isTold ? (current?.why ?? null) : null,
    onChange(text) {
      const why = take(text)
      setTyped({ text, why, over: shown })
      if (why === null) setTold(false)
    },
    onBlur() {
      if (current?.why) setTold(true)
      else setTyped(null)
    },
  }
}
