export const appScheme = 'paddock'
/** Origin of the app's own page; no other origin is ever loaded. */
export const appOrigin = `${appScheme}://app`
