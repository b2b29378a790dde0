# Texty stránek.
app = Plinth
skip = Přejít k obsahu
languages = Jazyk
moment-format = %-d. %-m. %Y %-H:%M
mistake = Chyba

sign-in = Přihlásit se
sign-in-back = Zpět k přihlášení
sign-out = Odhlásit se
signed-out = Jste odhlášeni.
login = E-mail nebo přihlašovací jméno
password = Heslo
forgot = Zapomenuté heslo?
sign-in-failed = Jméno nebo heslo není správné, nebo účet není aktivní.
sign-in-empty = Zadejte jméno a heslo.
sign-in-throttled = Příliš mnoho neúspěšných pokusů. Zkuste to znovu { $minutes ->
    [one] za minutu.
    [few] za { $minutes } minuty.
   *[other] za { $minutes } minut.
}

home = Váš účet
keys = Klíče API
keys-none = Nemáte žádné klíče API.
number = Číslo
made = Vytvořen
expires = Platí do
over = Platnost skončila
never = Bez omezení
scopes = Smí
scopes-all = Vše, co smíte vy
revoke = Zrušit
revoke-what = Programy s tímto klíčem budou od té chvíle odmítány. Nelze to vzít zpět.
revoke-now = Zrušit tento klíč
key-revoked = Klíč je zrušen.
key-gone = Takový klíč už neexistuje.
sessions = Kde jste přihlášeni
session-this = Tento prohlížeč
browser-unknown = Neznámý prohlížeč
address = Adresa
begun = Přihlášení
seen = Naposledy použito
end = Odhlásit tam
end-others = Odhlásit všude jinde
session-ended = Ten prohlížeč je odhlášen.
session-gone = Ten prohlížeč už byl odhlášen.
sessions-ended = Všechny ostatní prohlížeče jsou odhlášeny.

back-home = Na úvodní stránku
error-400-title = Tato adresa není správná
error-400-text = Něčemu v adrese nebo ve formuláři nelze porozumět. Možná byl odkaz zkopírován jen zčásti.
error-403-title = To není dovoleno
error-403-text = Tuto stránku nesmíte otevřít.
error-404-title = Taková stránka není
error-404-text = V adrese může být překlep, nebo už stránka neexistuje.
error-405-title = Takto stránku otevřít nelze
error-405-text = Přijímá jen formuláře jiných stránek. Vraťte se a použijte tlačítka tam.
error-429-title = Příliš mnoho požadavků
error-429-text = Chvíli počkejte a zkuste to znovu.
error-503-title = Server je právě vytížen
error-503-text = Zkuste to znovu za několik sekund.
error-other-title = Něco se pokazilo
error-other-text = Je to zapsáno v záznamech. Zkuste to později.
error-form-title = Tento formulář už nelze použít
error-form-text = Byl otevřen příliš dlouho, nebo váš prohlížeč neukládá cookies těchto stránek. Vraťte se, načtěte stránku znovu a zkuste to ještě jednou. Pokud to nepomůže, podívejte se, zda adresa začíná https: bez něj prohlížeče naše cookies ukládají jen tehdy, je-li server na vašem vlastním počítači.
error-origin-title = Tento formulář přišel odjinud
error-origin-text = Formuláře se přijímají jen z vlastních stránek.

confirm = Potvrďte svou adresu
confirm-what = Zaregistrovali jste se: { $tenant }. Stiskem tlačítka potvrdíte, že tato adresa je vaše.
confirm-now = Potvrdit
verify = Zadejte kód
code-mail = Kód z e-mailu
code-text = Kód z SMS
verify-now = Potvrdit
code-wrong = Kód není správný, nebo už neplatí. Po několika chybných pokusech přestane fungovat; pak si tam, kde jste se registrovali, vyžádejte nový.
verified-title = Váš účet je aktivní
verified-text = Nyní se můžete přihlásit.
verified-part-title = Potvrzeno
verified-part-text = Váš účet potřebuje ještě jedno potvrzení. Najděte další zprávu s odkazem nebo kódem.
verified-before-title = Toto už bylo potvrzeno
verified-before-text = S tímto odkazem nebo kódem už není co dělat.
verify-failed-title = Tento odkaz nefunguje
verify-failed-text = Není celý, je příliš starý, nebo byl po něm poslán jiný. Použijte nejnovější zprávu, nebo si tam, kde jste se registrovali, vyžádejte novou.

email = E-mail
forgot-what = Zadejte e-mail, kterým se přihlašujete. Pokud k němu existuje účet, pošleme na něj odkaz k nastavení nového hesla.
forgot-now = Poslat odkaz
forgot-done-title = Podívejte se do pošty
forgot-done-text = Pokud k tomuto e-mailu existuje účet, odkaz k nastavení nového hesla je na cestě. Platí hodinu. Pokud nic nepřijde, podívejte se do složky se spamem.
email-invalid = Toto není e-mailová adresa.
reset = Zvolte si nové heslo
password-new = Nové heslo
password-again = Nové heslo znovu
password-hint = Nejméně 10 znaků. Dobré heslo je několik slov. Velká písmena, číslice ani zvláštní znaky nejsou nutné.
reset-now = Nastavit heslo
passwords-differ = Hesla se neshodují.
password-weak = Toto heslo je příliš krátké, příliš dlouhé, nebo patří k nejběžnějším. Zvolte jiné.
reset-done-title = Vaše heslo je změněno
reset-done-text = Všude jste byli odhlášeni. Přihlaste se novým heslem.
reset-dead-title = Tento odkaz už nefunguje
reset-dead-text = Byl už použit, nebo je příliš starý. Vyžádejte si nový.
forgot-again = Vyžádat nový odkaz
