/** Words about what the seller has switched off, and how the seller helps. */
export const sellerEn = {
  askOutside: 'Open it in a tab of its own',
  writeTo: 'Write to {email}',
  cancelByMail: 'To cancel this subscription, write to {email}.',
  profileByMail: 'To have your name or address changed, write to {email}.',
  exportByMail: 'To be sent what is stored of you, write to {email}.',
  eraseByMail: 'To have what is stored of you erased, write to {email}.',
}
