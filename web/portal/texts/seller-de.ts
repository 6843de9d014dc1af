import type { sellerEn } from './seller-en.ts'

export const sellerDe: typeof sellerEn = {
  askOutside: 'In einem eigenen Tab öffnen',
  writeTo: 'An {email} schreiben',
  cancelByMail: 'Um dieses Abonnement zu kündigen, schreiben Sie an {email}.',
  profileByMail: 'Um Ihren Namen oder Ihre Adresse ändern zu lassen, schreiben Sie an {email}.',
  exportByMail: 'Um zu erhalten, was über Sie gespeichert ist, schreiben Sie an {email}.',
  eraseByMail: 'Um löschen zu lassen, was über Sie gespeichert ist, schreiben Sie an {email}.',
}
