# The texts of the pages. Each language has a file of this kind with the same names.
app = Plinth
skip = Skip to content
languages = Language
# How moments are written: the letters of strftime.
moment-format = %-d %B %Y, %H:%M
mistake = Error

sign-in = Sign in
sign-in-back = Back to sign-in
sign-out = Sign out
signed-out = You are signed out.
login = E-mail or login name
password = Password
forgot = Forgotten password?
sign-in-failed = The name or the password is wrong, or the account is not active.
sign-in-empty = Enter your name and your password.
sign-in-throttled = Too many failed tries. Try again { $minutes ->
    [one] in a minute.
   *[other] in { $minutes } minutes.
}

home = Your account
keys = API keys
keys-none = You have no API keys.
number = Number
made = Made
expires = Expires
over = Expired
never = Never
scopes = May do
scopes-all = Everything that you may do
revoke = Revoke
revoke-what = Programs that use this key are refused from then on. This cannot be undone.
revoke-now = Revoke this key
key-revoked = The key is revoked.
key-gone = There is no such key any more.
sessions = Where you are signed in
session-this = This browser
browser-unknown = Unknown browser
address = Address
begun = Signed in
seen = Last used
end = Sign out there
end-others = Sign out everywhere else
session-ended = That browser is signed out.
session-gone = That browser was signed out already.
sessions-ended = All other browsers are signed out.

back-home = To the home page
error-400-title = This address is not right
error-400-text = Something in the address or in the form cannot be understood. Perhaps a link was copied only in part.
error-403-title = This is not allowed
error-403-text = You may not open this page.
error-404-title = There is no such page
error-404-text = The address may be mistyped, or the page is gone.
error-405-title = This page cannot be opened like that
error-405-text = It only takes forms of other pages. Go back and use the buttons there.
error-429-title = Too many requests
error-429-text = Wait a little, then try again.
error-503-title = Busy just now
error-503-text = Try again in a few seconds.
error-other-title = Something went wrong
error-other-text = It was logged. Try again later.
error-form-title = This form can no longer be used
error-form-text = It was open for too long, or your browser keeps no cookies of this site. Go back, reload the page, and try again. If that does not help, look whether the address begins with https: without it, browsers keep our cookies only if the server is on your own computer.
error-origin-title = This form came from elsewhere
error-origin-text = Forms are taken from this site's own pages alone.

confirm = Confirm your address
confirm-what = You registered with { $tenant }. Press the button to confirm that this address is yours.
confirm-now = Confirm
verify = Enter your code
code-mail = Code from the e-mail
code-text = Code from the text message
verify-now = Confirm
code-wrong = The code is wrong or too old. After a few wrong tries it stops working; then ask for a new one where you registered.
verified-title = Your account is active
verified-text = You can sign in now.
verified-part-title = This is confirmed
verified-part-text = Your account needs one more confirmation. Look for another message, with a link or a code.
verified-before-title = This was confirmed before
verified-before-text = Nothing is left to do with this link or code.
verify-failed-title = This link does not work
verify-failed-text = It is not complete, or too old, or another one was sent after it. Use the newest message, or ask for a new one where you registered.

email = E-mail
forgot-what = Enter the e-mail that you sign in with. If there is an account, a link for a new password is sent to it.
forgot-now = Send the link
forgot-done-title = Check your e-mail
forgot-done-text = If there is an account with this e-mail, a link for a new password is on its way. It works for an hour. If nothing comes, look into the folder for spam.
email-invalid = This is not an e-mail address.
reset = Choose a new password
password-new = New password
password-again = New password again
password-hint = At least 10 characters. Several words make a good one. Capitals, digits and signs are not required.
reset-now = Set the password
passwords-differ = The two passwords are not the same.
password-weak = This password is too short, too long or one of the most common ones. Choose another.
reset-done-title = Your password is changed
reset-done-text = You were signed out everywhere. Sign in with the new password.
reset-dead-title = This link does not work any more
reset-dead-text = It was used before, or it is too old. Ask for a new one.
forgot-again = Ask for a new link
