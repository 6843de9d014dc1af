const NAME = 'keywright-visitor'

/** What this browser is known by to carts; another one each time where nothing can be kept. */
export function browserKey(): string {
  const fresh = crypto.randomUUID().replaceAll('-', '')
  try {
    const kept = localStorage.getItem(NAME)
    if (kept !== null && kept.length >= 16) return kept
    localStorage.setItem(NAME, fresh)
  } catch {
    // Blocked in frames of some browsers.
  }
  return fresh
}
