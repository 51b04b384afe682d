// How far work in the background is, without a page that flashes.

const SECONDS = 1;

setInterval(async () => {
  const response = await fetch(location.href).catch(() => null);
  // a service that does not answer now may do so the next time
  if (!response) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const news = page.querySelector("#busy");
  if (news) document.querySelector("#busy").replaceWith(document.adoptNode(news));
  else location.reload();
}, SECONDS * 1000);
