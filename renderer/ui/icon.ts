/** How every icon is drawn. Beside words it says nothing of its own. */
export const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const
/** An icon that stands alone; it needs a label. */
export const speakingIcon = { size: 16, strokeWidth: 1.5, role: 'img' } as const
