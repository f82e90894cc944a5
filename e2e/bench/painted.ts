/**
 * In the page: settles with the time, on the machine's clock in ms, at which a frame was painted in which something holds.
 * @param condition JavaScript
 * @param note JavaScript that is run then
 */
export const painted = (condition: string, note = '') => `new Promise((resolve) => {
  const look = () => {
    if (!(${condition})) return requestAnimationFrame(look)
    // What follows a frame's callbacks in a task of its own comes after its painting.
    requestAnimationFrame(() => setTimeout(() => {
      ${note}
      resolve(performance.timeOrigin + performance.now())
    }))
  }
  look()
})`
