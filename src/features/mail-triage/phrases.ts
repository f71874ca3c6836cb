/** Asks for something without a question mark, as people do in mail. */
export const REQUESTS: readonly RegExp[] = [
  // English
  /\b(?:can|could|would|will) you\b/i,
  /\bplease (?:(?:also|just|kindly|either|do) )?(?:advise|answer|approve|arrange|ask|bring|call|check|choose|come|comment|complete|confirm|contact|decide|email|fill|find out|fix|forward|get|give|have|help|let|look|mail|make sure|order|pay|phone|pick|provide|reply|reschedule|respond|return|review|ring|send|share|sign|suggest|tell|text|try|update|verify|write)\b/i,
  /\blet (?:me|us) know\b/i,
  /\b(?:get back to|reach out to|write back to|text|ring) (?:me|us)\b|\bgive (?:me|us) (?:a )?(?:call|ring|shout)\b/i,
  /\b(?:waiting|wait) (?:for|on) (?:your|you|a reply|an answer)\b/i,
  /\blook(?:ing)? forward to (?:your (?:reply|answer|response|feedback|thoughts)|hearing)\b/i,
  /\b(?:i|we) (?:still )?(?:need|require|await) (?:your|you to|an answer|a reply|a decision|to know)\b/i,
  /\b(?:i'd|we'd|i would|we would) (?:appreciate|like|love|need) (?:your|a reply|an answer|you to|to (?:hear|know))\b/i,
  /\bany (?:news|update|thoughts|idea)s? (?:on|about|when|if|whether)\b/i,
  /(?<!\b(?:for|with|on|got|received|appreciate) )\byour (?:thoughts|feedback|approval|signature|decision|sign-off)\b/i,
  /^(?:send|call|e?mail|text|tell|give|show|bring|remind|ring) (?:me|us)\b/im,
  /\br\.?s\.?v\.?p\b/i,
  /\b(?:following up|just (?:checking in|chasing))\b/i,
  /\bi (?:was )?wonder(?:ing)? (?:if|whether|what|when|how)\b/i,
  // German
  /\b(?:kannst|könntest|würdest|magst) du\b|\b(?:können|könnten|würden) sie\b|\b(?:könnt|könntet) ihr\b/i,
  /\bbitte(?: [a-zäöüß]{1,20}){0,6} (?:um|antworte|antworten|bestätige|bestätigen|gib|geben|mitteilen|melde|melden|prüfe|prüfen|ruf|rufen|schau|schick|schicke|schicken|senden|sende|sag|sagen|unterschreiben|überweisen|zurückrufen)\b/i,
  /\b(?:gib|gebt|geben sie) (?:mir|uns) (?:kurz |bitte )?bescheid\b|\bmelde dich\b|\bmelden sie sich\b/i,
  /\b(?:ich|wir) (?:warte|warten|brauche|brauchen|bitte|bitten)\b(?: [a-zäöüß]{1,20}){0,5} (?:auf|um|deine|ihre|eure|von dir|von ihnen)\b|\brückmeldung\b/i,
  // French
  /\b(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|veuillez|merci de (?:me|nous|bien)|dis-moi|dites-moi|tiens-moi|tenez-moi|réponds-moi|répondez-moi)/i,
  /\bj'attends (?:ta|votre|ton|vos|de)\b|\bdans l'attente de (?:ta|votre)\b/i,
  // Spanish, Portuguese
  /(?:^|[^\p{L}])(?:puedes|podrías|puede usted|podría|me puedes|avísame|avíseme|dime|dígame|quedo a la espera|espero tu|espero su|por favor,? (?:confirma|confirme|envía|envíe|responde|responda))(?![\p{L}])/iu,
  /(?:^|[^\p{L}])(?:você pode|pode me|poderia|podes|me avise|me avisa|aguardo (?:a sua|sua|o seu|seu|retorno|resposta)|por favor,? (?:confirme|envie|responda))(?![\p{L}])/iu,
  // Italian, Dutch
  /(?:^|[^\p{L}])(?:puoi|potresti|potrebbe|può (?:dirmi|inviarmi|confermare)|fammi sapere|mi faccia sapere|resto in attesa|attendo (?:tua|sua|una))(?![\p{L}])/iu,
  /\b(?:kun je|kunt u|kan je|zou je|zou u|wil je|wilt u|laat (?:me|mij|het me|ons) (?:even )?weten|graag (?:een|je|uw) (?:reactie|antwoord))\b/i,
  // Polish, Swedish
  /(?:^|[^\p{L}])(?:czy możesz|czy mógłbyś|czy może pan|proszę o|daj znać|czekam na (?:twoją|odpowiedź))(?![\p{L}])/iu,
  /(?:^|[^\p{L}])(?:kan du|skulle du kunna|hör av dig|återkom gärna|meddela mig)(?![\p{L}])/iu,
  // Russian, Japanese, Chinese
  /(?:^|[^\p{L}])(?:можете|можешь|не могли бы|сообщите|сообщи|дайте знать|дай знать|жду (?:ответа|вашего|твоего)|ответьте)(?![\p{L}])/iu,
  /(?:ください|下さい|お願い(?:いた)?します|でしょうか|ますか|ご返信|ご返事|お返事)/,
  /(?:请问|请回复|请确认|请告知|能否|可以吗|麻烦你|麻烦您|等你回复|期待您的回复)/,
];

/** A person speaks of themselves: no receipt does. */
export const FIRST_PERSON =
  /(?:^|[^\p{L}'’])(?:I|I['’](?:m|ve|d|ll)|ich|mir|je|j['’]|yo|eu|io|ik|ja|jag|я)(?![\p{L}'’-])/u;

/** Begins a subject that asks or complains. */
export const INQUIRY =
  /[?？؟]|^(?:question|query|help|request|problem|issue|complaint|wrong|missing|frage|bitte|problem mit|pregunta|domanda|vraag)\b/i;

/** Says itself that no answer is wanted. */
export const NO_ANSWER_WANTED: readonly RegExp[] = [
  /\bno (?:need|reason) (?:to|for you to) (?:reply|answer|respond|do anything)\b/i,
  /\bno (?:reply|answer|response|action) (?:is )?(?:needed|necessary|required|expected)\b/i,
  /\b(?:just |only )?(?:fyi|for your information)(?: only)?[.,:!\s-]{1,4}(?:nothing|no action|no reply)\b/i,
  /\bnothing (?:to do|you need to do|for you to do)\b/i,
  /\bkeine (?:antwort|rückmeldung) (?:nötig|notwendig|erforderlich)\b|\bnur zur (?:info|kenntnis)\b/i,
  /\b(?:pas besoin|inutile) de (?:me )?répondre\b/i,
  /\bno hace falta (?:que )?(?:respond|contest)/i,
];

/** Written by a machine, by its own words. */
export const AUTOMATED: readonly RegExp[] = [
  /\bthis (?:is an|e?mail was|message was|is a system) (?:automat|auto-|system|sent automat|generated)/i,
  /\b(?:do not|don't|please do not) (?:reply|respond) (?:directly )?to this\b/i,
  /\bthis (?:mailbox|inbox|address|email address) is not (?:monitored|attended)\b|\bunmonitored (?:mailbox|inbox|address)\b/i,
  /\b(?:diese e-?mail|diese nachricht) wurde automatisch\b|\bbitte antworten sie nicht auf diese\b/i,
  /\bceci est un (?:message|e-?mail|courriel) automatique\b|\bmerci de ne pas répondre\b|\bne pas répondre à ce\b/i,
  /\b(?:este|esta) (?:mensaje|correo|mensagem) (?:es|é|fue|foi|ha sido) (?:automátic|generad|gerad|enviad[oa] automátic)/i,
  /\byou(?: are|'re) receiving this (?:e?mail|message|because)\b|\byou received this (?:e?mail|message) because\b/i,
  /\bunsubscribe\b(?! (?:me|us|my|our)\b)|\b(?:manage (?:your )?(?:email )?preferences|update your preferences|opt[- ]out (?:at any time|here|of (?:these|this|our|future)))\b/i,
  /\bview (?:this|it) (?:email |message )?in (?:your|a) browser\b|\b(?:abbestellen|abmelden vom newsletter|se désabonner|darse de baja|annulla(?:re)? l'iscrizione|uitschrijven)\b/i,
];

/** Receipts, codes, shipments and the like; held against the subject. */
export const TRANSACTIONAL: readonly RegExp[] = [
  /\b(?:order|booking|reservation|payment|purchase|subscription|delivery|registration|appointment) (?:\S{1,20} )?(?:confirm|received|receipt|shipped|complete|updat|summary|renew|cancel|number|reminder)/i,
  /\b(?:receipt|invoice|statement|e-?ticket|boarding pass) (?:for|from|of|no|number|#|is (?:ready|available|attached))/i,
  /\byour .{0,40}\b(?:receipt|invoice|order|statement|e-?ticket|booking|package|parcel|shipment|payment|payslip|verification code|security code|one-time|refund|subscription|trial|password|itinerary|reservation|account)\b/i,
  /\b(?:verification|security|one-time|login|sign-in|confirmation|access) (?:code|pin|passcode|password|link)\b/i,
  /\b(?:reset|change|confirm|verify) your (?:password|e?mail|account|address)\b|\bpassword (?:reset|changed|expires)\b/i,
  /\b(?:has|have) (?:been )?(?:shipped|dispatched|delivered)\b|\bout for delivery\b|\bthank(?:s| you) for your (?:order|purchase|payment|booking)\b/i,
  /\bnew (?:sign-?in|login|device)\b|\bsecurity alert\b/i,
  /\b(?:bestellbestätigung|auftragsbestätigung|versandbestätigung|zahlungsbestätigung|buchungsbestätigung|ihre (?:bestellung|rechnung|lieferung|buchung)|bestätigungscode)\b/i,
  /\b(?:confirmation de (?:votre )?(?:commande|réservation|paiement)|votre (?:commande|facture|colis|reçu)|code de vérification)\b/i,
  /\b(?:confirmación de (?:tu |su )?(?:pedido|pago|reserva)|(?:tu|su) (?:pedido|factura|recibo|paquete)|código de verificación)\b/i,
  /\b(?:conferma d(?:el tuo )?ordine|il tuo ordine|la tua fattura|bevestiging van (?:je|uw) bestelling|je bestelling|uw factuur)/i,
];

/** Sells something; two of these together make an advertisement. */
export const PROMOTIONS: readonly RegExp[] = [
  /\b\d{1,2} ?% (?:off|discount|rabatt|de (?:réduction|descuento|desconto)|sconto|korting)/i,
  /\b(?:shop|buy|order|book|register|subscribe|upgrade|get started|sign up|claim yours|learn more) (?:now|today|here)\b/i,
  /\b(?:limited[- ]time|last chance|ends (?:soon|today|tonight|sunday)|while (?:stocks|supplies) last|don't miss|hurry)\b/i,
  /\b(?:free (?:shipping|trial|gift|webinar)|exclusive (?:offer|deal)|special offer|promo(?:tion)? code|black friday|cyber monday|flash sale|best deals?)\b/i,
  /\b(?:click (?:here|below)|jetzt (?:kaufen|sichern|bestellen)|nur heute|profitez|compra ahora|acquista ora)\b/i,
];

/** Absence notes, by their subject. */
export const ABSENCE =
  /^(?:automatic reply|auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office|ooo\b|away from|on (?:vacation|leave|holiday)|abwesenheit|abwesend|automatische antwort|réponse automatique|absence du bureau|absent|respuesta automática|fuera de (?:la )?oficina|resposta automática|risposta automatica|fuori sede|afwezig|automatisch antwoord|autosvar|自動返信|自动回复)/i;

/** Notes that something could not be delivered, by their subject. */
export const BOUNCE =
  /^(?:undeliver(?:able|ed)|delivery (?:status notification|failure|has failed|incomplete)|mail delivery (?:failed|failure|subsystem)|returned mail|failure notice|unzustellbar|message undeliverable|non remis|no se puede entregar)/i;

/** The first part of a sender's address that no person reads. */
export const ROBOT =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|noreply.{0,40}|.{0,40}[-_.+]no[-_.]?reply|notifications?|notify|alerts?|mailer-daemon|postmaster|bounces?(?:[-+.].{0,60})?|newsletters?|news|updates?|digest|mailer|robot|bot|automated|donotreply.{0,40}|ne-?pas-?repondre|nicht-?antworten|receipts?|orders?|shipping|tracking|auto-?confirm|calendar-notification|promo(?:tions)?|deals)$/;
