import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

const shownForMs = 1_500

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownForMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <IconButton
      icon={isCopied ? Check : Copy}
      label={isCopied ? 'Copied' : label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    />
  )
}
